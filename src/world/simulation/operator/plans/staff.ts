import { headcountFor } from '../../operations/technicians.ts'
import type { Skill } from '../../work/plans.ts'
import { skills } from '../../work/plans.ts'
import { technicianWaits } from '../../operations/priority.ts'
import { upkeepPriority } from '../../operations/priority.ts'
import { hour } from '../../time.ts'
import type { OperatorContext } from '../context.ts'
import { isSaving } from '../chapters/stance.ts'
import { hiringDollars } from '../prices.ts'
import { order } from '../purchasing.ts'

/** Hires technicians when work orders wait for them, or when the fleet has grown considerably. */

/** Average number of waiting orders for a skill that justifies hiring. */
const waitingMax = 1.2
/** Time constant of the average. */
const averageHours = 72
/** Minimum age of a waiting order. */
const patience = 2 * hour
const hostsPerAutomationSlot = 60

export function observeQueue({ world, state, operations }: OperatorContext): void {
  const counts = new Map<Skill, number>()
  for (const order of operations.dispatcher.open) {
    const { skill, isAssigned, ordered, priority, blocking } = order
    if (skill === null || isAssigned || priority >= upkeepPriority || world.now - ordered < patience) continue
    if (blocking !== null && !technicianWaits.has(blocking)) continue
    counts.set(skill, (counts.get(skill) ?? 0) + 1)
  }
  for (const skill of skills) {
    const before = state.waiting.get(skill) ?? 0
    state.waiting.set(skill, before + ((counts.get(skill) ?? 0) - before) / averageHours)
  }
}

export function planStaff(context: OperatorContext): void {
  const { state, world, operations, site } = context
  const hosts = world.topology.hosts.rows.length
  if (
    Math.floor(hosts / hostsPerAutomationSlot) > Math.floor(state.automatedHosts / hostsPerAutomationSlot)
  ) {
    state.automatedHosts = hosts
    operations.dispatcher.roster.addAutomationSlot()
  }
  if (isSaving(state) || state.purchases.some(({ hires }) => hires !== null)) return
  const vacancy = state.vacancies.shift()
  if (vacancy !== undefined) {
    const { name, skill, region } = vacancy
    if (!hire(context, skill, `${name} has left`, region)) state.vacancies.unshift(vacancy)
    return
  }
  const busiest = skills.toSorted((a, b) => waitingFor(context, b) - waitingFor(context, a))[0]
  if (waitingFor(context, busiest) > waitingMax) {
    const waiting = Math.round(waitingFor(context, busiest) * 10) / 10
    hire(context, busiest, `${waiting} work orders on average wait for that skill`)
  } else if (headcountFor(hosts) - headcountFor(site.sizing.hosts) > state.totals.hired - state.totals.left) {
    const hardware = skills[state.totals.hired % skills.length]
    hire(context, hardware, `there are ${hosts} hosts to look after`)
  }
}

const waitingFor = ({ state }: OperatorContext, skill: Skill): number => state.waiting.get(skill) ?? 0

function hire(context: OperatorContext, skill: Skill, because: string, region?: number): boolean {
  return order(context, {
    what: `a technician for ${skill}`,
    because,
    entity: { kind: 'World', id: null },
    zone: 0,
    works: [],
    hires: skill,
    ...(region !== undefined && { region }),
    dollars: hiringDollars,
    lead: 'Hire',
  })
}
