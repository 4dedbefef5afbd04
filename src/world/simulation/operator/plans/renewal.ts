import { ageHours, hoursPerYear, resaleDollars } from '../../facility/depreciation.ts'
import { hostConditionPct } from '../../faults/hazards/wear.ts'
import { newestSku } from '../../topology/construction/site.ts'
import { idOf } from '../../topology/tables.ts'
import type { OperatorContext } from '../context.ts'
import { isSaving } from '../chapters/stance.ts'
import { poolFill } from '../observation.ts'
import { installationShare } from '../prices.ts'
import { isOnOrder, order } from '../purchasing.ts'

/** Replaces old and worn hosts one by one, and sells them. */

const yearsMax = 4.5
/** Age at which a host gives way to a denser one when the floor is nearly full. */
const yearsMaxOnFullFloor = 3
const fullFloorShare = 0.85
const conditionPctMin = 25
/** Bound of simultaneous replacements, as a share of all hosts. */
const underWayShare = 0.015
/** Maximum fill of a pool whose hosts may be taken out of service. */
const poolFillMax = 0.8

export function planRenewal(context: OperatorContext): void {
  const { world, state } = context
  const { hosts } = world.topology
  const underWay = state.purchases.filter(({ works }) => works.some(({ kind }) => kind === 'Renewal')).length
  const most = Math.max(1, Math.floor(hosts.rows.length * underWayShare))
  if (underWay >= most) return
  const due: { readonly host: number; readonly condition: number }[] = []
  for (const host of hosts.rows) {
    const condition = hostConditionPct(world, host)
    if (condition < conditionPctMin || isOutdated(context, host)) due.push({ host, condition })
  }
  due.sort((a, b) => a.condition - b.condition || a.host - b.host)
  let left = most - underWay
  for (const { host } of due) {
    if (left <= 0) return
    if (!isReplaceable(context, host)) continue
    if (!orderRenewal(context, host)) return
    left--
  }
}

/** Whether a host is old, or takes the place of a denser one on a full floor. A company that saves keeps it. */
function isOutdated({ world, state, site }: OperatorContext, host: number): boolean {
  if (isSaving(state)) return false
  const { hosts } = world.topology
  const years = ageHours(hosts, host, world.now) / hoursPerYear
  const isSparse = hosts.sku[host] < newestSku(site, hosts.pool[host])
  const isFull = hosts.rows.length >= site.hostsMax * fullFloorShare
  return years > (isSparse && isFull ? yearsMaxOnFullFloor : yearsMax)
}

function isReplaceable(context: OperatorContext, host: number): boolean {
  const { condition, topology } = context.world
  if (condition.hostBroken[host] + condition.hostMaintenance[host] > 0) return false
  if (context.state.sales.some(({ hosts }) => hosts.includes(host))) return false
  if (poolFill(context.capacity.pools[topology.hosts.pool[host]]) > poolFillMax) return false
  return !isOnOrder(context, (works) => works.kind === 'Renewal' && works.host === host)
}

function orderRenewal(context: OperatorContext, host: number): boolean {
  const { world, site } = context
  const { hosts, hostSkus } = world.topology
  const model = hostSkus[newestSku(site, hosts.pool[host])]
  const age = ageHours(hosts, host, world.now)
  const condition = hostConditionPct(world, host)
  return order(context, {
    what: `a ${model.name} in the place of ${hosts.name[host]}`,
    because: `it is ${Math.round((age / hoursPerYear) * 10) / 10} years old, and its condition is ${Math.round(condition)} %`,
    entity: { kind: 'Host', id: idOf(host) },
    zone: hosts.zone[host],
    works: [{ kind: 'Renewal', host }],
    dollars: model.priceDollars * (1 + installationShare),
    lead: 'Renewal',
    resaleDollars: resaleDollars(hostSkus[hosts.sku[host]].priceDollars, age, condition),
  })
}
