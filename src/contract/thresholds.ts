/** Thresholds of alerts, tables and dashboards, and defaults of the service, stated once. */

/** A threshold, and the range in which it may be tuned. */
interface Threshold {
  readonly value: number
  readonly from: number
  readonly to: number
  readonly meaning: string
}

const threshold = (value: number, from: number, to: number, meaning: string): Threshold => ({
  value,
  from,
  to,
  meaning,
})
const share = (value: number, meaning: string): Threshold => threshold(value, 0, 1, meaning)

/** The thresholds of alerts, at which tables and dashboards change color as well. Shares are of 1, as in metrics. */
export const declaredThresholds = {
  // Network utilization.
  linkLoadHigh: share(0.7, 'A link, or all WAN links of a zone, carry this share of what they can.'),
  linkLoadFull: share(0.9, 'The same, with hardly anything left.'),
  fabricLoadHigh: share(0.8, 'A fabric carries this share of what it can.'),
  inspectionLoadHigh: share(0.8, 'An appliance inspects this share of what it can.'),
  forwardingLoadHigh: share(0.8, 'A gateway or appliance forwards this share of its ceiling.'),
  droppedShareHigh: share(0.001, 'This share of the WAN traffic of a zone is dropped.'),
  errorsPerSecondHigh: threshold(
    1,
    0,
    1e9,
    'Frames that a switch loses to errors each second of simulated time.',
  ),
  flapsPerHourHigh: threshold(3, 0, 1e6, 'Links of a switch that go and come back each simulated hour.'),

  // Capacity of pools and zones.
  cpuUsedHigh: share(0.75, 'CPU used of what the hardware has: units begin to get in each other’s way.'),
  cpuUsedFull: share(0.92, 'The same: they do get in each other’s way.'),
  cpuAllocatedHigh: share(0.9, 'CPU allocated of the most that may be allocated.'),
  memoryAllocatedHigh: share(0.9, 'Memory allocated of what the hardware has.'),
  diskAllocatedHigh: share(0.9, 'Disk allocated of what the hardware has.'),
  gpuAllocatedHigh: share(0.95, 'GPU slices allocated of all that there are.'),
  hostsContendedShareHigh: share(0.1, 'Hosts of a pool that are contended or starved.'),
  contendedLevel: threshold(2, 1, 3, 'Contention of a host from which on it counts: 2 is Contended.'),
  exhaustionHorizonHours: threshold(
    24,
    1,
    24 * 60,
    'How far ahead exhaustion is foreseen, in simulated hours.',
  ),
  hostsOnlineShareLow: share(0.9, 'Hosts of a zone that serve, below which the zone is impaired.'),
  unitsUnplacedHigh: threshold(1, 1, 1e6, 'Units that no host could take.'),

  segmentFreeShareLow: share(0.1, 'CPU or memory left on the hosts reserved for a segment.'),

  // Customers.
  prospectExpiresHours: threshold(
    6,
    1,
    1000,
    'Simulated hours before a prospect leaves, from which on an alert names it.',
  ),
  satisfactionUneasy: share(0.5, 'Customers this content begin to complain.'),
  satisfactionLeaving: share(0.3, 'Customers this content give us a last chance.'),
  satisfactionFallPerDay: share(0.15, 'How much satisfaction is lost in a simulated day when it slides.'),
  burnRateFast: threshold(14.4, 1, 1000, 'Times the failures that the SLA allows: gone within two days.'),
  burnRateSlow: threshold(3, 1, 1000, 'Times the failures that the SLA allows: gone within ten days.'),
  lateShareOfAllowance: share(0.8, 'Time over the promised latency, of what the SLA allows in its period.'),

  // Power, cooling, hardware.
  feedLoadHigh: share(0.75, 'A power feed delivers this share of what it can.'),
  rackPowerHigh: share(0.85, 'A rack draws this share of what it may.'),
  inletWarmCelsius: threshold(27, 15, 60, 'Air at the racks is warmer than it should be.'),
  inletHotCelsius: threshold(32, 15, 80, 'Air at the racks is warmer than devices are made for.'),
  coolingLoadHigh: share(0.95, 'Heat to take away, of what running cooling units can.'),
  conditionPoor: share(0.2, 'Condition of a part, 1 new and 0 worn out, at which it should be renewed.'),
  diskWearHigh: share(0.9, 'Rated life of a host’s disks that is used up.'),

  // Security.
  defenseLoadHigh: share(0.8, 'A defense stops this share of what it can stop.'),
  threatResidualHigh: share(0.05, 'Hostile traffic that gets through, of what arrives.'),

  // Money and work.
  customersAddedHigh: threshold(
    3,
    1,
    1e6,
    'Customers that an incident came to reach within two simulated hours.',
  ),
  revenueAtRiskShare: share(0.1, 'Revenue at risk in active incidents, of all revenue.'),
  creditsDailyShare: share(0.05, 'Credits paid in a simulated day, of the revenue of that day.'),
  incidentUnattendedMinutes: threshold(
    60,
    1,
    1e5,
    'Simulated minutes that an incident may wait for a work order.',
  ),
  workOrderOldHours: threshold(36, 1, 1e5, 'Simulated hours after which a work order should be done.'),
  workBlockedOrders: threshold(1, 1, 1e5, 'Work orders that wait for the same thing.'),

  // The mirror's own health, in wall time.
  snapshotStaleSeconds: threshold(30, 2, 3600, 'Age of the snapshot that is served.'),
  simulationLagSeconds: threshold(10, 1, 3600, 'How far the world is behind where its speed would have it.'),
  scrapeSlowSeconds: threshold(3, 0.1, 120, 'How long a scrape takes.'),
  errorShareHigh: share(0.01, 'Answers of the mirror that are errors of its own (5xx).'),
  eventLoopLagSeconds: threshold(0.5, 0.01, 60, 'How long requests wait for the service thread (p99).'),
  memoryBytesHigh: threshold(900e6, 1e6, 1e12, 'Memory that the process of the mirror holds.'),
  publishSlowSeconds: threshold(1, 0.01, 60, 'How long a publish takes.'),
} as const satisfies Record<string, Threshold>

export type ThresholdName = keyof typeof declaredThresholds
export type Thresholds = { readonly [N in ThresholdName]: number }

export const thresholdNames = Object.keys(declaredThresholds) as ThresholdName[]

/** Default values. */
export const thresholds = Object.fromEntries(
  thresholdNames.map((name) => [name, declaredThresholds[name].value]),
) as Thresholds

/** Thresholds of colors and words only; no alert fires at them. */
export const displayThresholds = {
  /** Health below which a zone is degraded: tolerates a lost packet, or one of thousands of links. */
  zoneHealthDegraded: 0.9999,
  zoneHealthImpaired: 0.85,
  /** Failed requests, as a share of all. */
  failedRequestsSome: 0.001,
  failedRequestsHigh: 0.01,
  /** p99 latency, as a share of the promised latency. */
  latencyOfPromiseHigh: 0.8,
  diskOperationsHigh: 0.8,
  /** Power drawn from both feeds, as a share of their capacity, beyond which one feed alone cannot carry the load. */
  singleFeedLoad: 0.5,
  threatResidualMost: 0.5,
  /** Hostile traffic as a share of what a defense can stop, below which it is the usual noise of the internet. */
  attackLoad: 0.25,
  marginLow: 0.1,
  /** Simulated hours before a prospect leaves, below which a decision is urgent. */
  prospectExpiresSoonHours: 2,
} as const

/**
 * Simulated seconds per wall second where no other speed is set: an hour of the world is five minutes, so that half of the
 * grave incidents of the default world last for three minutes and more (docs/measured/pace.md).
 */
export const defaultSpeed = 12

/** Wall time between publishes while clients read. */
export const defaultCadenceMs = 1_000

/** Wall time without a request after which publishing pauses. */
export const defaultIdleMs = 60_000
