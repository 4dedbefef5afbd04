import type { SatisfactionLabel } from '../../../contract/vocabularies.ts'
import { clamp } from '../../numeric.ts'
import { day } from '../../time.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { pricePlans } from '../prices.ts'

/** Share of the distance to its experience that satisfaction moves per minute: it falls faster than it rises. */
const fallRate = 1 / (60 * 14)
const riseRate = 1 / (60 * 90)
const complaintBelow = 0.5

/** Quality of the last minute, from 0 to 1. */
function experienceOf(context: TenantContext, account: Account): number {
  const { services } = context.state
  const plan = pricePlans[account.tier]
  let value = 0.93
  // Failures count relative to what the plan allows.
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

/** Once a minute: satisfaction follows experience, and an unhappy customer complains. */
export function updateSatisfaction(context: TenantContext, account: Account): void {
  account.experience = experienceOf(context, account)
  const before = account.satisfaction
  const distance = account.experience - before
  account.satisfaction = clamp(before + distance * (distance < 0 ? fallRate : riseRate), 0, 1)
  const { world } = context
  const becameUnhappy = before >= complaintBelow && account.satisfaction < complaintBelow
  const isStillUnhappy = account.satisfaction < complaintBelow && world.now - account.lastComplaint >= 2 * day
  if (!account.live || !(becameUnhappy || isStillUnhappy) || world.now - account.lastComplaint < day / 2)
    return
  account.lastComplaint = world.now
  const entity = { kind: 'Customer', id: account.id } as const
  world.events.emit(world.now, 'CustomerComplained', 'Warning', entity, 'event.customer-complained', {
    customer: account.name,
    about: complaintOf(account),
  })
}

function complaintOf(account: Account): string {
  if (account.breached) return 'intruders in its systems'
  const { period } = account
  const failed = period.total > 0 ? period.failed / period.total : 0
  if (failed > 1 - pricePlans[account.tier].availability)
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
