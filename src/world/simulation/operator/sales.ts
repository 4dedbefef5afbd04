import { hoursPerMonth } from '../../../contract/fields.ts'
import { ageHours, resaleDollars } from '../facility/depreciation.ts'
import { hostConditionPct } from '../faults/hazards/wear.ts'
import { upkeepPriority } from '../operations/priority.ts'
import type { WorkPlan } from '../work/plans.ts'
import { step } from '../work/plans.ts'
import type { WorldView } from '../state.ts'
import { monthsToPayOff } from '../tenants/prices.ts'
import type { Fault } from '../faults/model.ts'
import { announceSaleCalledOff, announceSold, soldName } from './announcements.ts'
import type { OperatorContext } from './context.ts'
import type { Sale } from './model.ts'

/** Current resale value of a host. */
export function resaleOf(world: WorldView, host: number): number {
  const { hosts, hostSkus } = world.topology
  const age = Math.floor(ageHours(hosts, host, world.now))
  const { priceDollars } = hostSkus[hosts.sku[host]]
  return Math.round(resaleDollars(priceDollars, age, hostConditionPct(world, host)) * 100) / 100
}

/** Outstanding installments of a host. */
export function outstandingDebtOf({ topology, now }: WorldView, host: number): number {
  const { hosts, hostSkus } = topology
  const months = monthsToPayOff - ageHours(hosts, host, now) / hoursPerMonth
  return Math.max(0, (hostSkus[hosts.sku[host]].priceDollars * months) / monthsToPayOff)
}

/** Advances sales: hosts leave service at the buyer's collection, then the racks, and are paid for. */
export function stepSales(context: OperatorContext): void {
  const { world, state, operations } = context
  for (const sale of state.sales.slice()) {
    if (sale.workOrder === null) {
      if (sale.due <= world.now) begin(context, sale)
    } else if (!operations.isOpen(sale.workOrder) && sale.hosts.every((host) => isAtRest(context, host)))
      finish(context, sale)
  }
}

/** Cancels a sale from the pool that has not begun. Returns whether there was one. */
export function callOffSale(context: OperatorContext, pool: number): boolean {
  const { world, state } = context
  const sale = state.sales.find((other) => other.pool === pool && other.workOrder === null)
  if (sale === undefined) return false
  close(context, sale)
  announceSaleCalledOff(world, sale, `${world.topology.pools[pool].name} needs it again`)
  return true
}

function begin(context: OperatorContext, sale: Sale): void {
  const { world, operations } = context
  const { load, condition } = world
  sale.hosts = sale.hosts.filter(
    (host) => load.unitCount[host] === 0 && condition.hostMaintenance[host] === 0,
  )
  if (sale.hosts.length === 0) {
    close(context, sale)
    announceSaleCalledOff(world, sale, 'it is in use again')
    return
  }
  for (const host of sale.hosts) world.faults.setMaintenance(host, true)
  sale.workOrder = operations.order(planWork(context, sale), { zone: sale.zone, priority: upkeepPriority }).id
}

function planWork({ world }: OperatorContext, sale: Sale): WorkPlan {
  const { hosts } = world.topology
  const count = sale.hosts.length
  const names = sale.hosts.map((host) => hosts.name[host]).join(', ')
  return {
    kind: 'Decommission',
    label: `Take out ${soldName(world.topology, sale)}`,
    skill: 'hardware',
    onSite: true,
    steps: [
      step('Travel', 'Go to the racks', 8),
      step('Inspect', `Check that nothing runs on ${names}`, 5),
      step('Clean', 'Erase the disks', 50),
      step('Dismount', 'Unplug the cables and take out the hosts', 25 * count),
      step('Configure', 'Close their entries in the inventory', 10),
    ],
  }
}

/** Whether a host and its zone have no faults or incidents, and no pending work refers to the host. */
function isAtRest({ world, operations }: OperatorContext, host: number): boolean {
  const { topology, condition, load, faults, incidents } = world
  if (load.unitCount[host] > 0 || condition.hostMaintenance[host] !== 1) return false
  const concerns = (target: Fault['target'] | null): boolean => target !== null && isOf(world, target, host)
  // A fault that remained unnoticed during the maintenance leaves with the host.
  if (faults.active.some(({ target, incidentId }) => concerns(target) && incidentId !== null)) return false
  if (operations.dispatcher.open.some(({ target }) => concerns(target))) return false
  for (const { zones, causes, impact } of incidents.values()) {
    if (zones.includes(topology.hosts.zone[host]) || impact.hosts.includes(host)) return false
    if (causes.some(({ target }) => concerns(target))) return false
  }
  return true
}

/** Whether a target is a host, one of its cables, or a port at either end of such a cable. */
function isOf({ topology }: OperatorContext['world'], target: Fault['target'], host: number): boolean {
  const { hosts, ports } = topology
  if (target.kind === 'Host') return target.row === host
  const first = hosts.firstPort[host]
  for (let port = first; port < first + hosts.portCount[host]; port++) {
    if (target.kind === 'Cable' && target.row === ports.cable[port]) return true
    if (target.kind === 'Port' && (target.row === port || target.row === ports.peer[port])) return true
  }
  return false
}

function finish(context: OperatorContext, sale: Sale): void {
  const { world, state, construct } = context
  const broken = world.faults.active.filter(({ target }) =>
    sale.hosts.some((host) => isOf(world, target, host)),
  )
  for (const fault of broken) world.faults.repair(fault)
  let dollars = 0
  let owed = 0
  for (const host of sale.hosts) {
    dollars += resaleOf(world, host)
    owed += outstandingDebtOf(world, host)
  }
  state.reserves += dollars - owed
  construct({ kind: 'Removal', hosts: sale.hosts })
  for (const host of sale.hosts) state.emptyHours[host] = 0
  state.totals.sold += sale.hosts.length
  state.totals.proceeds += dollars
  close(context, sale)
  announceSold(world, sale, dollars, owed)
}

function close({ state }: OperatorContext, sale: Sale): void {
  state.sales.splice(state.sales.indexOf(sale), 1)
}
