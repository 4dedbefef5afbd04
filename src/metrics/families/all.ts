import { azFamilies, rackFamilies } from './azs.ts'
import { customerFamilies, moneyFamilies, prospectFamilies, serviceFamilies } from './customers.ts'
import { hostFamilies, poolFamilies } from './hosts.ts'
import { linkFamilies, portFamilies } from './links.ts'
import { applianceFamilies, gatewayFamilies, segmentFamilies, switchFamilies } from './network.ts'
import { eventFamilies, incidentFamilies, questFamilies, workFamilies } from './operations.ts'
import { threatFamilies } from './threats.ts'
import { clockFamilies, fleetFamilies } from './world.ts'

/** Every family of the world, by name: the closed set that dashboards and alerts may query. */
export const families = {
  ...clockFamilies,
  ...fleetFamilies,
  ...azFamilies,
  ...rackFamilies,
  ...poolFamilies,
  ...hostFamilies,
  ...switchFamilies,
  ...gatewayFamilies,
  ...applianceFamilies,
  ...threatFamilies,
  ...linkFamilies,
  ...portFamilies,
  ...segmentFamilies,
  ...customerFamilies,
  ...serviceFamilies,
  ...moneyFamilies,
  ...prospectFamilies,
  ...incidentFamilies,
  ...eventFamilies,
  ...workFamilies,
  ...questFamilies,
}

export type FamilyName = keyof typeof families
/** The labels of a family's samples. */
export type LabelOf<N extends FamilyName> = (typeof families)[N]['labels'][number]
