import { idOf } from '../../topology/tables.ts'
import type { OperatorContext } from '../context.ts'
import type { Requirement, Refusal } from '../model.ts'
import { dollarsPerCoolingKw, dollarsPerFeedKw } from '../prices.ts'
import { isOnOrder, order, refuse } from '../purchasing.ts'

/** Power and cooling of zones. */

/** Each feed must be able to carry its zone alone: a higher peak, as a share of one feed, requires an enlargement. */
const feedShareMax = 0.92
const feedShareOrdered = 0.86
/** An enlargement of the feeds, as a share of the initial capacity, and the limit of the grid connection. */
const enlargement = 0.25
const gridMax = 2
const coolingShareMax = 0.82
/** Hosts' draw at the peak as a share of their full load, and the factor of cooling on it. */
const usualLoad = 0.7
const overhead = 1.3

export function planFacility(context: OperatorContext): void {
  for (let zone = 0; zone < context.world.topology.zones.length; zone++) {
    if (feedShare(context, zone, 0) > feedShareOrdered) orderPower(context, zone)
    planCooling(context, zone)
  }
}

/** The peak of a zone, including the full load of new devices, as a share of one feed. */
function feedShare({ world, state }: OperatorContext, zone: number, addedKw: number): number {
  const { feeds, zones } = world.topology
  return (state.zonePeakKw[zone] + addedKw * usualLoad * overhead) / feeds.capacityKw[zones[zone].feeds[0]]
}

/** Whether one feed of a zone carries its peak with room. */
export const feedCarriesZone = (context: OperatorContext, zone: number): boolean =>
  feedShare(context, zone, 0) <= feedShareMax

/** Whether a zone has power for new devices. If not, power is ordered, up to the limit of the grid connection. */
export function powerFor(context: OperatorContext, zone: number, addedKw: number): 'enough' | Refusal {
  return feedShare(context, zone, addedKw) <= feedShareMax ? 'enough' : orderPower(context, zone)
}

/** Orders an enlargement of the feeds, unless one is on order. */
function orderPower(context: OperatorContext, zone: number): Refusal {
  if (isOnOrder(context, (works) => works.kind === 'Power' && works.zone === zone)) return 'power on order'
  const { world, site, state } = context
  const { feeds, zones } = world.topology
  const [feed] = zones[zone].feeds
  const first = site.feedKwAtFirst[feed]
  const kw = Math.ceil(first * enlargement)
  const need: Requirement = {
    what: `${kw} kW more on both power feeds of ${zones[zone].displayName}`,
    because: `the zone draws up to ${Math.round(state.zonePeakKw[zone])} kW, and each feed carries ${feeds.capacityKw[feed]} kW`,
    entity: { kind: 'PowerFeed', id: idOf(feed) },
    zone,
    works: [{ kind: 'Power', zone, kw }],
    dollars: 2 * kw * dollarsPerFeedKw,
    lead: 'Power',
  }
  if (feeds.capacityKw[feed] + kw <= first * gridMax) return order(context, need) ? 'power on order' : 'money'
  refuse(context, need, 'power')
  return 'power'
}

function planCooling(context: OperatorContext, zone: number): void {
  const { world, state } = context
  const { coolingUnits, zones } = world.topology
  const units = zones[zone].coolingUnits
  const rated = units.reduce((sum, unit) => sum + coolingUnits.capacityKw[unit], 0)
  const heat = state.zonePeakHeatKw[zone]
  if (heat < rated * coolingShareMax) return
  if (isOnOrder(context, (works) => works.kind === 'Cooling' && works.zone === zone)) return
  const kw = Math.ceil(rated / units.length)
  const need: Requirement = {
    what: `a cooling unit of ${kw} kW for ${zones[zone].displayName}`,
    because: `its devices give off up to ${Math.round(heat)} kW, and its units remove ${Math.round(rated)} kW`,
    entity: { kind: 'Zone', id: idOf(zone) },
    zone,
    works: [{ kind: 'Cooling', zone, kw }],
    dollars: kw * dollarsPerCoolingKw,
    lead: 'Cooling',
  }
  if (coolingUnits.count < coolingUnits.capacity) order(context, need)
  else refuse(context, need, 'room')
}
