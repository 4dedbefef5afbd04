/** The values of closed sets in words. An upstream's unknown value is split into its words. */
import { causeNames } from '../contract/messages/incident-causes.ts'
import type {
  ApplianceKind,
  Archetype,
  Blocking,
  ContentionState,
  EntityKind,
  FitRecommendation,
  Lifecycle,
  RootKind,
  ServiceClass,
  SymptomKind,
  ThreatClass,
  WorkOrderKind,
} from '../contract/vocabularies.ts'

/** `NoLight`, `no_vcpu` and `gpu-training` in words. */
function separated(value: string): string {
  const spaced = value.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')
  return spaced.replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
}

/** Looks up own properties alone: an unknown value may be spelled as a member of every object, such as `constructor`. */
export const knownOr = <T>(known: Readonly<Record<string, T>>, value: string, otherwise: T): T =>
  Object.hasOwn(known, value) ? known[value] : otherwise

const bandRanks: Readonly<Record<string, number>> = { Watch: 1, Minor: 2, Major: 3, Critical: 4 }

/** 1 Watch … 4 Critical. A band that the contract does not know counts as grave. */
export const bandRank = (band: string): number => knownOr(bandRanks, band, 3)

const wordsOf =
  <V extends string>(words: Readonly<Record<V, string>>) =>
  (value: string): string =>
    knownOr<string>(words, value, separated(value))

/** Values whose spelling contains their words, such as `CauseConfirmed`. */
export const plainWords = separated

export const symptomWords = wordsOf<SymptomKind>({
  ServiceDown: 'service down',
  FailedRequests: 'failed requests',
  HighLatency: 'high latency',
  PacketLoss: 'packet loss',
  HostUnreachable: 'host unreachable',
  LinkDown: 'link down',
  LinkErrors: 'link errors',
  RedundancyLost: 'redundancy lost',
  Overheating: 'overheating',
  UnitsStranded: 'stranded units',
  TrafficFlood: 'traffic flood',
  SuspiciousLogins: 'suspicious logins',
  HardwareWarning: 'device warning',
})

export const causeWords = wordsOf<RootKind>(causeNames)

export const blockingWords = wordsOf<Blocking>({
  NoSpare: 'a spare part',
  NobodyOnShift: 'a technician, as none on shift has the skill',
  EveryoneBusy: 'a technician who is free',
  WaitingForAccess: 'access to the equipment',
  WaitingForVendor: 'an outside party',
})

export const workKindWords = wordsOf<WorkOrderKind>({
  Diagnose: 'diagnosis',
  Repair: 'repair',
  Replace: 'replacement',
  Recable: 'recabling',
  Reconfigure: 'reconfiguration',
  Mitigate: 'mitigation',
  Upkeep: 'maintenance',
  Onboarding: 'onboarding',
  Install: 'installation',
  Decommission: 'decommissioning',
})

export const actorWords = wordsOf<'Staff' | 'Automation'>({ Staff: 'technician', Automation: 'automation' })

export const businessWords = wordsOf<Archetype>({
  Shop: 'online shop',
  Saas: 'software as a service',
  GameStudio: 'game studio',
  Media: 'media',
  Bank: 'bank',
  Hospital: 'hospital',
  PublicOffice: 'public office',
  MlLab: 'machine-learning lab',
  Startup: 'startup',
  Logistics: 'logistics',
  University: 'university',
})

export const lifecycleWords = wordsOf<Lifecycle>({
  Pending: 'signed, not started',
  Onboarding: 'onboarding',
  Active: 'active',
  Probation: 'on probation',
  Leaving: 'leaving',
  Gone: 'left',
})

export const serviceWords = wordsOf<ServiceClass>({
  web: 'web',
  app: 'application',
  database: 'database',
  cache: 'cache',
  queue: 'queue',
  'object-storage': 'object storage',
  'block-storage': 'block storage',
  batch: 'batch',
  'gpu-training': 'GPU training',
  'gpu-inference': 'GPU inference',
})

export const threatWords = wordsOf<ThreatClass>({
  Volumetric: 'traffic flood',
  Protocol: 'connection flood',
  Application: 'request flood',
  Intrusion: 'break-in attempts',
  Scan: 'probing',
})

export const recommendationWords = wordsOf<FitRecommendation>({
  Accept: 'accept',
  AcceptWithCare: 'accept with care',
  AddCapacity: 'add capacity first',
  Decline: 'decline',
})

export const contentionWords = wordsOf<ContentionState>({
  None: 'none',
  Light: 'light',
  Contended: 'contended',
  Starved: 'starved',
})

export const applianceWords = wordsOf<ApplianceKind>({
  Firewall: 'firewall',
  DdosScrubber: 'DDoS scrubber',
  IntrusionPrevention: 'intrusion prevention',
  LoadBalancer: 'load balancer',
})

export const entityWords = wordsOf<EntityKind>({
  World: 'world',
  Zone: 'zone',
  Rack: 'rack',
  PowerFeed: 'power feed',
  CoolingUnit: 'cooling unit',
  Host: 'host',
  Switch: 'switch',
  Gateway: 'gateway',
  Appliance: 'appliance',
  PatchPanel: 'patch panel',
  Cable: 'link',
  Pool: 'pool',
  Segment: 'segment',
  Subnet: 'subnet',
  Customer: 'customer',
  Prospect: 'prospect',
  Incident: 'incident',
  WorkOrder: 'work order',
  Quest: 'quest',
})

export const acceleratorWords = wordsOf<'InferenceGpu' | 'TrainingGpu'>({
  InferenceGpu: 'inference GPU',
  TrainingGpu: 'training GPU',
})

/** The unit of a threat's measurements. */
export const threatUnitWords = wordsOf<string>({
  gbps: 'Gbit/s',
  mpps: 'million packets/s',
  krps: 'thousand requests/s',
  attempts_per_second: 'attempts/s',
  probes_per_second: 'probes/s',
})

/** The unit of a placement's shortfall. */
export const amountWords = wordsOf<string>({
  vcpu: 'vCPU',
  mb: 'MB of memory',
  gb: 'GB of disk',
  iops: 'disk operations/s',
  slices: 'GPU slices',
  hosts: 'hosts',
  zones: 'zones',
  segments: 'segments',
})
