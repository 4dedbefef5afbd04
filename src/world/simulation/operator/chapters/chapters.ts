import type { OperatorContext } from '../context.ts'
import { stepConference } from './conference.ts'
import { stepInitiatives } from './initiatives.ts'
import { reviewOwnership } from './owners.ts'
import { reviewStaff } from './people.ts'
import { reviewPrices } from './pricing.ts'
import { stepProjects } from './projects.ts'
import { reviewLedger } from './stance.ts'

/** Once a day: the story of the company, as it follows from its ledger, its floor and its people. */
export function stepChapters(context: OperatorContext): void {
  reviewLedger(context)
  stepProjects(context)
  reviewPrices(context)
  reviewOwnership(context)
  stepConference(context)
  stepInitiatives(context)
  reviewStaff(context)
}
