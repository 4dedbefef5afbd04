export interface CauseWords {
  /** A suspect, as a sentence. */
  readonly message: string
  /** A noun phrase, for texts that name a cause within a sentence. */
  readonly noun: string
  /** Two or three words, for a column or an action that names the failed entity beside them. */
  readonly name: string
  /** Where hints say to look first. */
  readonly field?: string
  /** The alerts about devices and customers that it affects, each with the label that identifies them. */
  readonly alerts?: readonly (readonly [alert: string, label: string])[]
}

/** Every kind of cause, in the words of clients. */
export const causeKinds = {
  Unknown: { message: 'The cause is not known yet.', noun: 'an unknown cause', name: 'not known yet' },
  HostFailure: {
    message: 'Host {name} has failed.',
    noun: 'failure of host {name}',
    name: 'host failure',
    field: 'hosts',
    alerts: [['DcsimHostDown', 'host']],
  },
  DiskFailure: {
    message: 'An SSD in {name} has failed.',
    noun: 'SSD failure in {name}',
    name: 'disk failure',
    field: 'hosts',
  },
  PowerSupplyFailure: {
    message: 'A power supply in {name} has failed.',
    noun: 'power supply failure in {name}',
    name: 'power supply failure',
    field: 'power of single devices',
    alerts: [
      ['DcsimHostOnOneFeed', 'host'],
      ['DcsimSwitchDown', 'switch'],
    ],
  },
  PowerFeedLoss: {
    message: '{name} has lost its supply.',
    noun: 'loss of {name}',
    name: 'power feed loss',
    field: 'power and cooling',
    alerts: [
      ['DcsimPowerFeedDown', 'az'],
      ['DcsimZonePowerNotRedundant', 'az'],
    ],
  },
  FanFailure: {
    message: 'Too little air moves through {name}.',
    noun: 'too little airflow in {name}',
    name: 'poor airflow',
    field: 'hosts',
  },
  CoolingFailure: {
    message: '{name} has failed.',
    noun: 'failure of {name}',
    name: 'cooling failure',
    field: 'power and cooling',
    alerts: [
      ['DcsimCoolingUnitDown', 'az'],
      ['DcsimZoneOverheats', 'az'],
    ],
  },
  SwitchFailure: {
    message: 'Switch {name} has failed.',
    noun: 'failure of switch {name}',
    name: 'switch failure',
    field: 'network devices',
    alerts: [['DcsimSwitchDown', 'switch']],
  },
  GatewayFailure: {
    message: 'Gateway {name} has failed.',
    noun: 'failure of gateway {name}',
    name: 'gateway failure',
    field: 'network devices',
    alerts: [
      ['DcsimGatewayDown', 'gateway'],
      ['DcsimZoneAnnouncesNoRoutes', 'az'],
    ],
  },
  ApplianceFailure: {
    message: 'Appliance {name} has failed.',
    noun: 'failure of appliance {name}',
    name: 'appliance failure',
    field: 'network devices',
    alerts: [['DcsimApplianceDown', 'appliance']],
  },
  PortFlap: {
    message: 'The plug in {name} is loose.',
    noun: 'a loose plug in {name}',
    name: 'port flapping',
    field: 'links and their ends',
    alerts: [['DcsimSwitchLinksFlap', 'switch']],
  },
  CableCut: {
    message: '{name} is cut.',
    noun: 'a cut in {name}',
    name: 'cable cut',
    field: 'links and their ends',
    alerts: [['DcsimLinkDown', 'link']],
  },
  TransceiverFailure: {
    message: 'The transceiver in {name} is failing.',
    noun: 'a failing transceiver in {name}',
    name: 'transceiver failure',
    field: 'links and their ends',
    alerts: [['DcsimSwitchLosesFrames', 'switch']],
  },
  CableFault: {
    message: '{name} is faulty.',
    noun: 'a fault of {name}',
    name: 'cable fault',
    field: 'links and their ends',
    alerts: [['DcsimSwitchLosesFrames', 'switch']],
  },
  FirmwareFault: {
    message: 'The firmware of {name} has disabled part of its fabric.',
    noun: 'a firmware fault of {name}',
    name: 'firmware fault',
    field: 'network devices',
    alerts: [['DcsimSwitchFabricFull', 'switch']],
  },
  LinkSaturation: {
    message: 'Traffic on {name} exceeds its capacity.',
    noun: 'saturation of {name}',
    name: 'link saturation',
    field: 'capacity',
    alerts: [['DcsimLinkFull', 'link']],
  },
  FabricSaturation: {
    message: 'Traffic through {name} exceeds its fabric capacity.',
    noun: 'fabric saturation of {name}',
    name: 'fabric saturation',
    field: 'capacity',
    alerts: [
      ['DcsimSwitchFabricFull', 'switch'],
      ['DcsimGatewayFabricFull', 'gateway'],
      ['DcsimInspectionFull', 'appliance'],
    ],
  },
  BroadcastStorm: {
    message: 'A loop behind {name} causes a broadcast storm.',
    noun: 'a broadcast storm behind {name}',
    name: 'broadcast storm',
    field: 'network devices',
    alerts: [['DcsimBroadcastStorm', 'switch']],
  },
  Misconfiguration: {
    message: '{name} is misconfigured.',
    noun: 'misconfiguration of {name}',
    name: 'misconfiguration',
    field: 'network devices',
    alerts: [
      ['DcsimGatewayAnnouncesNoRoutes', 'gateway'],
      ['DcsimZoneDropsTraffic', 'az'],
    ],
  },
  AddonThrottling: {
    message: 'A security add-on uses up the forwarding capacity of {name}.',
    noun: 'add-on throttling at {name}',
    name: 'add-on throttling',
    field: 'network devices',
    alerts: [['DcsimGatewayThrottled', 'gateway']],
  },
  CapacityExhaustion: {
    message: '{name} has run out of capacity.',
    noun: 'lack of capacity in {name}',
    name: 'capacity exhaustion',
    field: 'capacity',
    alerts: [['DcsimPoolContended', 'pool']],
  },
  DemandSurge: {
    message: 'Demand for {name} is far above normal.',
    noun: 'a demand surge at {name}',
    name: 'demand surge',
    field: 'what users send',
  },
  Attack: {
    message: '{name} is under attack.',
    noun: 'an attack on {name}',
    name: 'attack',
    field: 'what users send',
    alerts: [
      ['DcsimCustomerUnderAttack', 'customer'],
      ['DcsimCustomerBreached', 'customer'],
    ],
  },
  ExpiredCertificate: {
    message: 'The certificate of {name} has expired.',
    noun: 'an expired certificate of {name}',
    name: 'expired certificate',
    field: 'services of customers',
  },
  FailedRelease: {
    message: 'The latest release of {name} is faulty.',
    noun: 'a faulty release of {name}',
    name: 'faulty release',
    field: 'services of customers',
  },
  DnsError: {
    message: 'The DNS records of {name} are wrong.',
    noun: 'wrong DNS records of {name}',
    name: 'DNS error',
    field: 'services of customers',
  },
  ClockDrift: {
    message: 'The clock of {name} is wrong.',
    noun: 'a wrong clock of {name}',
    name: 'clock drift',
    field: 'hosts',
  },
  MemoryErrors: {
    message: 'A memory module in {name} is failing.',
    noun: 'a failing memory module in {name}',
    name: 'memory errors',
    field: 'hosts',
  },
  StuckBatteryTest: {
    message: 'The UPS of {name} is stuck in a battery test.',
    noun: 'a stuck battery test of {name}',
    name: 'stuck battery test',
    field: 'power and cooling',
    alerts: [
      ['DcsimPowerFeedDown', 'az'],
      ['DcsimZonePowerNotRedundant', 'az'],
    ],
  },
  WaterLeak: {
    message: 'Water leaks from {name}.',
    noun: 'a water leak at {name}',
    name: 'water leak',
    field: 'power and cooling',
    alerts: [
      ['DcsimCoolingUnitDown', 'az'],
      ['DcsimZoneOverheats', 'az'],
    ],
  },
  HungController: {
    message: 'The controller of {name} hangs: it does not cool, and reads as running.',
    noun: 'a hung controller of {name}',
    name: 'hung controller',
    field: 'power and cooling',
    alerts: [['DcsimZoneOverheats', 'az']],
  },
  RouteLeak: {
    message: '{name} announces the routes of a carrier to another.',
    noun: 'a route leak of {name}',
    name: 'route leak',
    field: 'network devices',
    alerts: [['DcsimGatewayThrottled', 'gateway']],
  },
  ExpiredLicense: {
    message: 'The license of {name} has run out.',
    noun: 'an expired license of {name}',
    name: 'expired license',
    field: 'network devices',
    alerts: [['DcsimInspectionFull', 'appliance']],
  },
  HostDrained: {
    message: 'Host {name} was drained before its units had moved.',
    noun: 'the early drain of host {name}',
    name: 'drained host',
    field: 'capacity',
  },
  CarrierOutage: {
    message: 'The carrier of {name} is down.',
    noun: 'a carrier outage on {name}',
    name: 'carrier outage',
    field: 'links and their ends',
    alerts: [['DcsimLinkDown', 'link']],
  },
} as const satisfies Readonly<Record<string, CauseWords>>

type Kind = keyof typeof causeKinds
type Hyphenated<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Hyphenated<Rest>}`
  : S
type KeyOf<K extends Kind> = Hyphenated<K> extends `-${infer Name}` ? `cause.${Name}` : never
export type CauseKey = KeyOf<Kind>

/** The key of the message of a kind: `cause.host-failure`. */
export const causeKeyOf = (kind: Kind): CauseKey =>
  `cause${kind.replaceAll(/[A-Z]/g, '-$&')}`.replace('-', '.').toLowerCase() as CauseKey

const byKind = <T>(read: (kind: Kind) => readonly [string, T]) =>
  Object.fromEntries((Object.keys(causeKinds) as Kind[]).map(read))

export const causeMessages = byKind((kind) => [causeKeyOf(kind), causeKinds[kind].message]) as {
  readonly [K in Kind as KeyOf<K>]: (typeof causeKinds)[K]['message']
}
export const causeNames = byKind((kind) => [kind, causeKinds[kind].name]) as Readonly<Record<Kind, string>>
