import type { Technician } from '../../operations/technicians.ts'
import { day, dayNumber } from '../../time.ts'
import type { OperatorContext } from '../context.ts'
import { fillOfPools } from '../observation.ts'
import { feedCarriesZone } from '../plans/facility.ts'
import type { Initiative } from './company.ts'
import { beginChapter, continueChapter, monthlyCost } from './company.ts'
import { learn } from './people.ts'
import { isSaving } from './stance.ts'

/** Initiatives of the management: one begins on each seventh Monday, in turn, if there is occasion for it. */

const intervalDays = 49
const firstDay = 28
const lastsDays = 28

/** Pools that are emptier are advertised. */
const advertisedFillMax = 0.66
const advertisingShare = 0.04
const coursePerHead = 1_800
/** Share of the staff that learns at a time. */
const learningShare = 0.2

/** Share of the customers that may get less than they were sold. */
const breachedShareMax = 0.1
/** Time for which prospects hear of a good report. */
const praised = 14 * day

interface Rules {
  /** Begins, if there is occasion. Returns the ids of the technicians who take part, or null. */
  begin(context: OperatorContext): number[] | null
  end(context: OperatorContext, began: Initiative): void
}

const rules: Readonly<Record<Initiative['kind'], Rules>> = {
  Advertising: {
    begin(context) {
      const { state, tariff, capacity } = context
      const fill = fillOfPools(capacity)
      if (isSaving(state) || fill >= advertisedFillMax || isTurningAway(context)) return null
      const dollars = Math.round(monthlyCost(state) * advertisingShare)
      state.reserves -= dollars
      tariff.promote(lastsDays * day)
      const args = { days: lastsDays, dollars, percent: Math.round(100 * fill) }
      beginChapter(context, 'event.advertising-began', args)
      return []
    },
    end(context, { newestCustomer }) {
      const customers = context.world.tenants.active.filter(({ id }) => id > newestCustomer).length
      continueChapter(context, 'event.advertising-ended', { customers })
    },
  },
  Course: {
    begin(context) {
      const { state, operations } = context
      const staff = operations.dispatcher.roster.staff.filter(({ isGone }) => !isGone)
      const learners = staff.filter(canLearn).slice(0, Math.ceil(staff.length * learningShare))
      if (isSaving(state) || learners.length === 0) return null
      state.reserves -= learners.length * coursePerHead
      const names = learners.map(({ name }) => name).join(', ')
      beginChapter(context, 'event.course-began', { days: lastsDays, names })
      return learners.map(({ id }) => id)
    },
    end(context, { technicians }) {
      const { staff } = context.operations.dispatcher.roster
      const learners = technicians.map((id) => staff[id - 1]).filter(canLearn)
      for (const learner of learners) learn(context, learner)
      continueChapter(context, 'event.course-ended', { technicians: learners.length })
    },
  },
  Audit: {
    begin(context) {
      beginChapter(context, 'event.audit-began', { days: lastsDays })
      return []
    },
    end(context) {
      const findings = findingsOf(context)
      if (findings.length > 0) {
        continueChapter(context, 'event.audit-objected', { findings: findings.join('; ') }, 'Warning')
        return
      }
      context.tariff.promote(praised)
      continueChapter(context, 'event.audit-passed', {})
    },
  },
}
const kinds = ['Advertising', 'Course', 'Audit'] as const

/** Whether demand of the last weeks found no room, which advertising would only add to. */
const isTurningAway = ({ world }: OperatorContext): boolean =>
  world.tenants.unservedDemand.values().some(({ units, gbps }) => units >= 1 || gbps > 0)

const canLearn = ({ isGone, secondSkill }: Technician): boolean => !isGone && secondSkill === null

/** Objections of auditors, as clauses. */
function findingsOf(context: OperatorContext): string[] {
  const { topology, tenants } = context.world
  const { active } = tenants
  const breached = active.filter((customer) => customer.breached).length
  const vacant = context.state.vacancies.length
  return [
    ...(breached > active.length * breachedShareMax
      ? [`${breached} of ${active.length} customers get less than they were sold`]
      : []),
    ...topology.zones
      .filter((_, zone) => !feedCarriesZone(context, zone))
      .map(({ displayName }) => `one power feed cannot carry ${displayName} alone`),
    ...(vacant > 0 ? [`technicians who left have no successor yet: ${vacant}`] : []),
  ]
}

/** Once a day: ends an initiative, and begins the next. */
export function stepInitiatives(context: OperatorContext): void {
  const { world, state } = context
  const { company } = state
  const { initiative } = company
  if (initiative !== null && world.now >= initiative.ends) {
    company.initiative = null
    rules[initiative.kind].end(context, initiative)
  }
  if (dayNumber(world.now) % intervalDays !== firstDay) return
  for (const [index] of kinds.entries()) {
    const at = (company.nextInitiative + index) % kinds.length
    const technicians = rules[kinds[at]].begin(context)
    if (technicians === null) continue
    const ends = world.now + lastsDays * day
    const newestCustomer = Math.max(0, ...world.tenants.active.map(({ id }) => id))
    company.initiative = { kind: kinds[at], ends, newestCustomer, technicians }
    company.nextInitiative = at + 1
    return
  }
}
