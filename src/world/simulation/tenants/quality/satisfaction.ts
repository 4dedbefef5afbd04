import type { SatisfactionLabel } from '../../../../contract/vocabularies.ts'
import { clamp } from '../../numeric.ts'
import { turnsPerDay } from '../../schedule.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { grievanceCost, updateGrievances } from '../relations/grievances.ts'

/** Satisfaction of a customer without grievances. */
export const satisfactionMax = 0.94
/** Smoothing of the usual satisfaction, per turn. */
const habitPerTurn = 1 / (3 * turnsPerDay)

/** At a customer's turn: satisfaction is its maximum less the cost of the customer's grievances. */
export function updateSatisfaction({ world, state }: TenantContext, account: Account): void {
  updateGrievances(state, account, world.now)
  account.satisfaction = clamp(satisfactionMax - grievanceCost(account), 0, 1)
  account.usualSatisfaction += (account.satisfaction - account.usualSatisfaction) * habitPerTurn
}

const labels: readonly (readonly [below: number, label: SatisfactionLabel])[] = [
  [0.2, 'Furious'],
  [0.4, 'Unhappy'],
  [0.55, 'Uneasy'],
  [0.72, 'Content'],
  [0.88, 'Happy'],
]

export function satisfactionLabel(satisfaction: number): SatisfactionLabel {
  for (const [below, label] of labels) if (satisfaction < below) return label
  return 'Delighted'
}
