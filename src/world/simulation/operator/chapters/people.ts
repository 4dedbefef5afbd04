import type { Technician } from '../../operations/technicians.ts'
import { secondSkillOf } from '../../operations/technicians.ts'
import { day } from '../../time.ts'
import type { OperatorContext } from '../context.ts'

/** Technicians learn, and some leave. */

/** Mean days until a technician leaves, and the least. */
const meanStayDays = 900
const stayMin = 120 * day
/** Time after which technicians begin to learn a second skill, and the mean days that it takes. */
const learnsFrom = 365 * day
const meanLearningDays = 120
const daysPerMonth = 365 / 12

const reasons =
  'a job closer to home, a competitor pays better, retirement, a year of travel, a course of studies, a move abroad'.split(
    ', ',
  )

/** Once a day: who leaves opens a vacancy. */
export function reviewStaff(context: OperatorContext): void {
  const { world, operations, chance } = context
  for (const technician of operations.dispatcher.roster.staff) {
    if (technician.isGone || technician.order !== 0) continue
    const tenure = world.now - technician.joined
    const leaves = chance.chance(1 / meanStayDays)
    const learns = chance.chance(1 / meanLearningDays)
    if (leaves && tenure >= stayMin && isReplaceable(context, technician)) leave(context, technician)
    else if (learns && tenure >= learnsFrom && technician.secondSkill === null) learn(context, technician)
  }
}

/** Whether others in the region have the skill. */
function isReplaceable({ operations }: OperatorContext, { id, skill, region }: Technician): boolean {
  const { staff } = operations.dispatcher.roster
  return staff.some(
    (other) => other.id !== id && !other.isGone && other.region === region && other.skill === skill,
  )
}

const entity = { kind: 'World', id: null } as const

function leave({ world, state, operations, chance }: OperatorContext, technician: Technician): void {
  const { name, skill, region, joined } = technician
  operations.dispatcher.roster.dismiss(technician.id)
  state.totals.left++
  state.vacancies.push({ name, skill, region })
  const months = Math.round((world.now - joined) / (daysPerMonth * day))
  const args = { name, skill, months, reason: chance.pick(reasons) }
  world.events.emit(world.now, 'StaffLeft', 'Info', entity, 'event.staff-left', args)
}

export function learn({ world, operations }: OperatorContext, { id, name, skill }: Technician): void {
  const second = secondSkillOf(skill)
  operations.dispatcher.roster.train(id, second)
  const args = { name, skill, second }
  world.events.emit(world.now, 'StaffTrained', 'Info', entity, 'event.staff-trained', args)
}
