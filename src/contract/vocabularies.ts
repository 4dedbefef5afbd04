import { causeKinds } from './messages/incident-causes.ts'

/** Every closed set of string values, stated once. Ordered sets run from low to high. */

type WordsOf<Line extends string> = Line extends `${infer First} ${infer Rest}` ? First | WordsOf<Rest> : Line

/** The words of long sets. */
const words = <Line extends string>(...lines: readonly Line[]): readonly WordsOf<Line>[] =>
  lines.flatMap((line) => line.split(' ')) as WordsOf<Line>[]

export const bands = ['Watch', 'Minor', 'Major', 'Critical'] as const
export const severities = ['Info', 'Warning', 'Error', 'Critical'] as const
export const tiers = ['Bronze', 'Silver', 'Gold', 'Platinum'] as const
export const questStates = ['Locked', 'Open', 'Next', 'Done'] as const
export const archs = ['x86_64', 'arm64'] as const
export const accelerators = ['InferenceGpu', 'TrainingGpu'] as const
export const compliances = ['SOC-2', 'ISO-27001', 'PCI-DSS', 'HIPAA', 'Government'] as const

export const deviceKinds = ['Gateway', 'Switch', 'Appliance', 'PatchPanel', 'Host', 'Upstream'] as const
export const entityKinds = words(
  'World Zone Rack PowerFeed CoolingUnit Host Switch Gateway Appliance PatchPanel Cable Pool Segment',
  'Subnet Customer Prospect Incident WorkOrder Quest',
)

export const zoneStatuses = ['Healthy', 'Degraded', 'Impaired', 'Down'] as const
export const coolingStates = ['Normal', 'Strained', 'Overheating', 'Failed'] as const
export const powerFeedNames = ['A', 'B'] as const

export const portLinks = ['Down', 'Up', 'Flapping'] as const
export const portStates = ['Free', 'Connected', 'NoLight', 'Errored', 'PowerOff', 'Disabled'] as const
export const portMedia = ['Copper', 'Fiber', 'Dac', 'None'] as const
export const connectors = ['RJ45', 'SFP+', 'SFP28', 'QSFP28', 'QSFP-DD', 'LC', 'MPO'] as const
export const colors = words('black blue yellow aqua orange red green white violet grey')
export const indicators = ['Off', 'Green', 'Amber', 'Red', 'Blinking'] as const
export const inventoryStatuses = ['Installed', 'Failed', 'Maintenance', 'Spare', 'Retired'] as const

export const cableKinds = ['Copper', 'Fiber', 'Dac', 'Breakout', 'WanFiber'] as const
export const dacClasses = ['Passive', 'Active'] as const
export const routingSides = ['Left', 'Right'] as const
export const cableEnds = ['A', 'B'] as const

export const gatewayForms = ['Rack1U', 'Rack2U', 'Chassis'] as const
export const wanPolicies = ['Single', 'ActiveStandby', 'ActiveActive'] as const
export const securityAddons = ['DdosShield', 'WebFirewall', 'IntrusionPrevention', 'BotFilter'] as const
export const switchRoles = ['edge', 'aggregation', 'core'] as const
export const applianceKinds = ['Firewall', 'DdosScrubber', 'IntrusionPrevention', 'LoadBalancer'] as const
export const applianceFunctions = words(
  'StatefulFirewall DdosScrubbing IntrusionDetection IntrusionPrevention WebApplicationFirewall',
  'LoadBalancing AuditLog',
)
export const inspectionStates = ['Off', 'Idle', 'Inspecting', 'Saturated', 'Bypassed'] as const
export const threatClasses = ['Volumetric', 'Protocol', 'Application', 'Intrusion', 'Scan'] as const
export const threatClassCount = threatClasses.length
/** The unit of each threat class. */
export const threatUnits = ['gbps', 'mpps', 'krps', 'attempts_per_second', 'probes_per_second'] as const

export const hostStatuses = ['Idle', 'Busy', 'Hot', 'Overheating', 'Maintenance', 'Failed', 'Off'] as const
export const fanStates = ['Off', 'Low', 'Medium', 'High', 'Failed'] as const
export const contentionStates = ['None', 'Light', 'Contended', 'Starved'] as const

export const serviceClasses = words(
  'web app database cache queue object-storage block-storage batch gpu-training gpu-inference',
)
export const archetypes = words(
  'Shop Saas GameStudio Media Bank Hospital PublicOffice MlLab Startup Logistics University',
)
export const lifecycles = ['Pending', 'Onboarding', 'Active', 'Probation', 'Leaving', 'Gone'] as const
export const latencyTerms = words('Compute Contention Storage Network Queueing Inspection Replication')
export const satisfactionLabels = ['Furious', 'Unhappy', 'Uneasy', 'Content', 'Happy', 'Delighted'] as const
export const durabilities = ['Ephemeral', 'Single', 'Replicated2', 'Replicated3', 'ErasureCoded'] as const
export const replicationTags = ['none', 'async', 'sync', 'erasure'] as const
export const serviceStates = ['Running', 'Partial', 'Degraded', 'Placing', 'Down'] as const
export const serviceStateTags = ['running', 'partial', 'degraded', 'placing', 'down'] as const
export const placementCodes = words(
  'no_host_online no_vcpu no_memory no_disk no_iops no_gpu no_arch no_region no_dedicated_host',
  'no_uncontended_host no_fault_isolation no_second_zone no_segment',
)
/** Why a service is degraded: missing placements, or conditions of its placed units. */
export const serviceReasonTags = [
  ...placementCodes,
  'host_failed',
  'network_unreachable',
  'traffic_lost',
  'host_contended',
  'under_attack',
  'breached',
  'onboarding',
] as const
export const placementUnits = ['vcpu', 'mb', 'gb', 'iops', 'slices', 'hosts', 'zones', 'segments'] as const
export const fitRecommendations = ['Accept', 'AcceptWithCare', 'AddCapacity', 'Decline'] as const

export const rootKinds = Object.keys(causeKinds) as readonly (keyof typeof causeKinds)[]
export const symptomKinds = words(
  'ServiceDown FailedRequests HighLatency PacketLoss HostUnreachable LinkDown LinkErrors RedundancyLost',
  'Overheating UnitsStranded TrafficFlood SuspiciousLogins HardwareWarning',
)
export const timelineKinds = words(
  'Opened SymptomSeen BandRaised BandLowered EvidenceFound CauseConfirmed CauseCleared WorkStarted',
  'WorkBlocked WorkDone WorkCalledOff CustomersAffected Mitigated SymptomsCleared Resolved',
)

export const workOrderKinds = words(
  'Diagnose Repair Replace Recable Reconfigure Mitigate Upkeep Onboarding Install Decommission',
)
export const workActors = ['Staff', 'Automation'] as const
export const workStepKinds = words(
  'Assign Travel Inspect FetchSpare Drain Swap Splice Configure Filter Provision Clean Test Restore',
  'Dismount',
)
export const blockings = [
  'NoSpare',
  'NobodyOnShift',
  'EveryoneBusy',
  'WaitingForAccess',
  'WaitingForVendor',
] as const

export const segmentTierRules = ['Explicit', 'PlatinumOnly', 'GoldAndUp', 'Everyone'] as const
export const subnetRoutes = ['Gateway', 'Firewall', 'LoadBalancer', 'Isolated'] as const

export const eventKinds = words(
  'WorldStarted DayStarted CustomerSigned CustomerGrew CustomerShrank DemandChanged CustomerComplained',
  'ComplaintAnswered CustomerOnProbation CustomerReconciled CustomerLeaving CustomerLeft',
  'ServiceUnplaced ServicePlaced ProspectArrived ProspectExpired PartFailed PartRestored PowerLost',
  'PowerRestored LinkSaturated LinkRecovered AttackStarted AttackEnded Breach IncidentOpened',
  'IncidentBandChanged CauseConfirmed IncidentResolved WorkStarted WorkBlocked WorkFinished QuestDone',
  'QuestOpened SlaCredited ScenarioStep CapacityOrdered CapacityDelivered CapacityAdded CapacityRefused',
  'HardwareRenewed SalePlanned SaleCalledOff HardwareSold StaffHired StaffLeft StaffTrained',
  'ChapterBegan ChapterContinued WeatherChanged',
)

export const healthStatuses = ['starting', 'ok', 'idle', 'stale'] as const
export const seriesScales = ['linear', 'log'] as const
export const seriesUnits = words('gbps ms pct ratio dollars dollars_per_hour count per_second kw celsius')
export const metricTypes = ['counter', 'gauge', 'histogram', 'summary'] as const

export type Band = (typeof bands)[number]
export type Severity = (typeof severities)[number]
export type Tier = (typeof tiers)[number]
export type Arch = (typeof archs)[number]
export type Accelerator = (typeof accelerators)[number]
export type Compliance = (typeof compliances)[number]
export type EntityKind = (typeof entityKinds)[number]
export type ServiceClass = (typeof serviceClasses)[number]
export type Archetype = (typeof archetypes)[number]
export type Lifecycle = (typeof lifecycles)[number]
export type PlacementCode = (typeof placementCodes)[number]
export type ServiceReasonTag = (typeof serviceReasonTags)[number]
export type RootKind = (typeof rootKinds)[number]
/** A known cause: every root kind but `Unknown`. */
export type CauseKind = Exclude<RootKind, 'Unknown'>
export type SymptomKind = (typeof symptomKinds)[number]
export type TimelineKind = (typeof timelineKinds)[number]
export type WorkOrderKind = (typeof workOrderKinds)[number]
export type WorkStepKind = (typeof workStepKinds)[number]
export type Blocking = (typeof blockings)[number]
export type ThreatClass = (typeof threatClasses)[number]
export type EventKind = (typeof eventKinds)[number]
export type ApplianceKind = (typeof applianceKinds)[number]
export type SwitchRole = (typeof switchRoles)[number]
export type SeriesScale = (typeof seriesScales)[number]
export type SeriesUnit = (typeof seriesUnits)[number]
export type Durability = (typeof durabilities)[number]
export type PlacementUnit = (typeof placementUnits)[number]
export type FitRecommendation = (typeof fitRecommendations)[number]
export type SatisfactionLabel = (typeof satisfactionLabels)[number]
export type ContentionState = (typeof contentionStates)[number]
export type SegmentTierRule = (typeof segmentTierRules)[number]
export type SubnetRoute = (typeof subnetRoutes)[number]
