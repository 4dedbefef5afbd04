import { hostsThatFit, placeForRack } from '../topology/construction/room.ts'
import { onboardingPriority } from '../operations/priority.ts'
import type { Skill, WorkPlan } from '../work/plans.ts'
import { step } from '../work/plans.ts'
import {
  announceDelivery,
  announceHire,
  announceInService,
  announceMisdelivery,
  announceRenewal,
} from './announcements.ts'
import { day } from '../time.ts'
import { idOf } from '../topology/tables.ts'
import type { OrderedWorks } from '../topology/works.ts'
import type { OperatorContext } from './context.ts'
import type { Purchase } from './model.ts'
import { rackDollars, worksMonths } from './prices.ts'
import { refuse } from './purchasing.ts'

/** Once a minute: orders the installation of delivered purchases, and commissions installed ones. */
export function stepInstallations(context: OperatorContext): void {
  const { world, state, operations } = context
  if (state.purchases.length === 0) return
  const purchases = state.purchases.slice()
  for (const purchase of purchases) {
    if (purchase.workOrder === null) {
      if (purchase.due <= world.now) receive(context, purchase)
    } else if (!operations.isOpen(purchase.workOrder)) finish(context, purchase)
  }
}

function receive(context: OperatorContext, purchase: Purchase): void {
  if (purchase.hires !== null) {
    startWork(context, purchase, purchase.hires)
    return
  }
  if (isWrong(context, purchase)) {
    exchange(context, purchase)
    return
  }
  announceDelivery(context.world, purchase)
  const [works] = purchase.works
  const target = works.kind === 'Renewal' ? ({ kind: 'Host', row: works.host } as const) : null
  const about = { target, priority: onboardingPriority }
  const order = context.operations.order(planInstallation(purchase), { ...about, zone: purchase.zone })
  purchase.workOrder = order.id
}

/** Share of deliveries that are right, and the time until a wrong one is exchanged. */
const rightShare = 0.96
const exchangeDays: readonly [min: number, max: number] = [4, 12]
const mistakes = [
  'the boxes hold another model',
  'rails and power cords are missing',
  'water got into the boxes',
  'the supplier mixed up two orders',
]

const isWrong = ({ deliveries }: OperatorContext, { isExchanged }: Purchase): boolean =>
  !isExchanged && !deliveries.chance(rightShare)

/** Sends a delivery back; the next one is right. */
function exchange({ world, deliveries }: OperatorContext, purchase: Purchase): void {
  const days = deliveries.between(...exchangeDays)
  purchase.isExchanged = true
  purchase.due = world.now + days * day
  announceMisdelivery(world, purchase, deliveries.pick(mistakes), days)
}

function startWork(context: OperatorContext, purchase: Purchase, skill: Skill): void {
  const { roster } = context.operations.dispatcher
  roster.hire(skill, context.world.now, purchase.region)
  context.state.totals.hired++
  close(context, purchase)
  announceHire(context.world, roster.staff[roster.staff.length - 1].name, skill)
}

const skillFor: Readonly<Record<OrderedWorks['kind'], Skill>> = {
  Hosts: 'hardware',
  Rack: 'hardware',
  Renewal: 'hardware',
  Links: 'network',
  Device: 'network',
  Cooling: 'power',
  Power: 'power',
}

/** Minutes to mount and to commission one item. */
const effort: Readonly<Record<OrderedWorks['kind'], readonly [mount: number, test: number]>> = {
  Hosts: [25, 15],
  Rack: [180, 40],
  Renewal: [40, 30],
  Links: [60, 20],
  Device: [75, 30],
  Cooling: [240, 60],
  Power: [300, 60],
}

type Tasks = readonly [mount: string, configure: string, test: string]
const deviceTasks: Tasks = [
  'Mount and cable it',
  'Enter it in the inventory and configure it',
  'Burn it in and check every link',
]
/** The steps of an installation that are those of no device. */
const tasks: Readonly<Partial<Record<OrderedWorks['kind'], Tasks>>> = {
  Links: ['Lay and connect it', 'Configure both ends', 'Check light levels and errors at both ends'],
  Cooling: ['Mount it and connect water and power', 'Set its limits', 'Run it at full load'],
  Power: ['Mount breakers and busbars', 'Set the limits of the breakers', 'Load it in steps'],
}

function planInstallation({ what, works }: Purchase): WorkPlan {
  const { kind } = works[0]
  const [mounting, setting, testing] = tasks[kind] ?? deviceTasks
  let mount = 0
  let test = 0
  for (const one of works) {
    const count = one.kind === 'Hosts' ? one.count : 1
    mount += effort[one.kind][0] * count
    test += effort[one.kind][1] * count
  }
  return {
    kind: kind === 'Renewal' ? 'Replace' : 'Install',
    label: `Install ${what}`,
    skill: skillFor[kind],
    onSite: true,
    steps: [
      step('Travel', 'Go to the loading bay', 8),
      step('FetchSpare', 'Unpack and check the delivery', 15),
      ...(kind === 'Renewal' ? [step('Drain', 'Move the units to other hosts', 25)] : []),
      step('Swap', mounting, mount),
      step('Configure', setting, 15),
      step('Test', testing, test),
    ],
  }
}

function finish(context: OperatorContext, purchase: Purchase): void {
  const { world, state, costs, construct } = context
  while (purchase.works.length > 0) {
    const works = purchase.works[0]
    const possible = feasible(context, works)
    if (possible !== null) construct(possible)
    if (works.kind === 'Hosts' && possible?.kind === 'Hosts' && possible.count < works.count)
      purchase.works[0] = { ...works, count: works.count - possible.count }
    else if (possible !== null) purchase.works.shift()
    if (possible === null) {
      const entity = { kind: 'Zone', id: idOf(purchase.zone) } as const
      const because = 'it was delivered and waits in the hall'
      refuse(context, { what: purchase.what, because, entity, dollars: 0 }, 'room')
      return
    }
    costs.zoneWorks[purchase.zone] += dollarsOf(works, purchase.dollars) / worksMonths
    if (works.kind === 'Renewal') sellOld(context, purchase, works.host)
  }
  state.totals.installed++
  close(context, purchase)
  announceInService(world, purchase)
}

/** The works limited to the available room; null if there is none. */
function feasible({ site }: OperatorContext, works: OrderedWorks): OrderedWorks | null {
  if (works.kind === 'Rack') return placeForRack(site, works.zone) === null ? null : works
  if (works.kind !== 'Hosts') return works
  const count = hostsThatFit(site, works.zone, works.pool, works.count)
  return count === 0 ? null : { ...works, count }
}

/** The price to depreciate as part of a zone. Hosts are depreciated individually. */
function dollarsOf({ kind }: OrderedWorks, dollars: number): number {
  if (kind === 'Hosts' || kind === 'Renewal') return 0
  return kind === 'Rack' ? rackDollars : dollars
}

function sellOld({ world, state }: OperatorContext, { resaleDollars }: Purchase, host: number): void {
  state.reserves += resaleDollars
  state.totals.renewed++
  const { hosts, hostSkus } = world.topology
  announceRenewal(world, host, hostSkus[hosts.sku[host]].name, resaleDollars)
}

function close({ state }: OperatorContext, purchase: Purchase): void {
  state.purchases.splice(state.purchases.indexOf(purchase), 1)
}
