import type { SatisfactionLabel } from '../../contract/vocabularies.ts'
import { clamp } from '../numeric.ts'
import { day } from '../time.ts'
import type { Account } from './account.ts'
import type { Business } from './business.ts'
import { plans } from './prices.ts'

/** Share of the way to what it experiences that satisfaction goes in a minute: down in half a day, up in four. */
const sinking = 1 / (60 * 14)
const rising = 1 / (60 * 90)
const complaintBelow = 0.5

/** From 0 to `content`, what a minute was like. */
function experienceOf(business: Business, account: Account): number {
  const { services } = business
  const plan = plans[account.tier]
  let value = 0.93
  // Failures hurt against what the plan allows: ten times as many are a bad minute, half of all the worst.
  const allowed = 1 - plan.availability
  const failing = account.minuteTotal > 0 ? account.minuteFailed / account.minuteTotal : 0
  if (failing > allowed) value -= clamp(0.12 + 0.9 * Math.min(1, failing / (allowed * 40)), 0, 0.93)
  if (account.p99Ms > account.p99BudgetMs) {
    value -= clamp(0.15 * (account.p99Ms / account.p99BudgetMs), 0.15, 0.45)
  }
  if (account.breached) value -= 0.5
  if (account.redundancyBroken) value -= 0.08
  let gap = 0
  for (const service of account.services) gap += services.requested[service] - services.placed[service]
  if (account.requestedUnits > 0) value -= 0.25 * Math.min(1, (4 * gap) / account.requestedUnits)
  return clamp(value, 0, 1)
}

/** Once a minute: satisfaction follows what the customer lives through; it speaks up when it has had enough. */
export function feel(business: Business, account: Account): void {
  account.experience = experienceOf(business, account)
  const before = account.satisfaction
  const distance = account.experience - before
  account.satisfaction = clamp(before + distance * (distance < 0 ? sinking : rising), 0, 1)
  const { state } = business
  const fed = before >= complaintBelow && account.satisfaction < complaintBelow
  const again = account.satisfaction < complaintBelow && state.now - account.lastComplaint >= 2 * day
  if (!account.live || !(fed || again) || state.now - account.lastComplaint < day / 2) return
  account.lastComplaint = state.now
  const entity = { kind: 'Customer', id: account.id } as const
  state.events.emit(state.now, 'CustomerComplained', 'Warning', entity, 'event.customer-complained', {
    customer: account.name,
    about: complaintOf(account),
  })
}

function complaintOf(account: Account): string {
  if (account.breached) return 'intruders in its systems'
  const { period } = account
  const failed = period.total > 0 ? period.failed / period.total : 0
  if (failed > 1 - plans[account.tier].availability)
    return `${(failed * 100).toFixed(2)} % of its requests failing`
  if (account.p99Ms > account.p99BudgetMs) return 'slow answers'
  if (account.placedUnits < account.requestedUnits) return 'units it is still waiting for'
  return 'the service it has had lately'
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
