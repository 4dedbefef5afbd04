import type { RandomStream } from '../../random.ts'
import type { HazardWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { day, hour } from '../../time.ts'

/**
 * Every few weeks all switches receive new firmware, one zone a night. Defects of the release show in the first hours
 * under load.
 */

const daysBetweenMin = 24
const daysBetweenMax = 50
/** Daytime risk window after the night of a zone's upgrade. */
const riskFromHour = 3
const riskUntilHour = 15
/** Factor on the rate of firmware faults of upgraded switches. */
const upgradeRisk = 18

export interface FirmwareCampaign {
  /** Midnight before the first night. */
  begins: Micros
}

export const firstCampaign = (stream: RandomStream): FirmwareCampaign => ({
  begins: stream.between(8, daysBetweenMax) * day,
})

/** Once a day: plans the next campaign after the current one has covered all zones. */
export function planCampaign(
  { topology, now }: HazardWorld,
  campaign: FirmwareCampaign,
  stream: RandomStream,
): void {
  if (now < campaign.begins + topology.zones.length * day) return
  campaign.begins += stream.between(daysBetweenMin, daysBetweenMax) * day
}

/** Factor on a switch's rate of firmware faults. */
export function campaignFactor(
  { topology, now }: HazardWorld,
  campaign: FirmwareCampaign,
  row: number,
): number {
  const since = now - campaign.begins
  if (since < 0 || Math.floor(since / day) !== topology.switches.zone[row]) return 1
  const hourOfDay = (now % day) / hour
  return hourOfDay >= riskFromHour && hourOfDay < riskUntilHour ? upgradeRisk : 1
}
