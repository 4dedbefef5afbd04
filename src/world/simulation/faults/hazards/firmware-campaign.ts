import type { RandomStream } from '../../random.ts'
import type { HazardWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { day, hour } from '../../time.ts'

/**
 * Every few weeks all switches get new firmware, one zone a night. What the release breaks shows in the first hours
 * under load.
 */

const daysBetweenMin = 24
const daysBetweenMax = 50
/** Hours of the day between which a zone that was upgraded in the night is at risk. */
const riskFromHour = 3
const riskUntilHour = 15
/** Factor on the likelihood of a firmware fault of an upgraded switch. */
const upgradeRisk = 18

export interface FirmwareCampaign {
  /** Midnight before the first night. */
  begins: Micros
}

export const firstCampaign = (stream: RandomStream): FirmwareCampaign => ({
  begins: stream.between(8, daysBetweenMax) * day,
})

/** Plans the next campaign when the present one has been through all zones. To be called once a day. */
export function planCampaign(
  { topology, now }: HazardWorld,
  campaign: FirmwareCampaign,
  stream: RandomStream,
): void {
  if (now < campaign.begins + topology.zones.length * day) return
  campaign.begins += stream.between(daysBetweenMin, daysBetweenMax) * day
}

/** Factor on the likelihood of a firmware fault of a switch. */
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
