import { thresholds } from '../../../../src/contract/thresholds.ts'
import { ofRecords } from '../claim.ts'
import type { Claim, Sight } from '../claim.ts'

const hourNs = 3_600_000_000_000n

/** Unfinished orders by the reason for which they wait. */
function* blocked({ snapshot }: Sight) {
  const waiting = new Map<string, number>()
  for (const { blocking, resolved_at_ns: done } of snapshot.collections.workOrders) {
    if (blocking !== null && done === null) waiting.set(blocking, (waiting.get(blocking) ?? 0) + 1)
  }
  for (const [blocking, orders] of waiting) {
    if (orders >= thresholds.workBlockedOrders) yield [blocking, 2] as const
  }
}

const isGrave = ({ band }: { readonly band: string }): boolean => band === 'Major' || band === 'Critical'

/** Orders that wait for a technician during a grave incident. */
function* withoutTechnician(sight: Sight) {
  if (waiting(sight) > 0 && sight.snapshot.collections.incidents.some(isGrave)) yield ['', 2] as const
}

const waiting = ({ snapshot }: Sight): number =>
  snapshot.collections.workOrders.filter(
    ({ blocking, resolved_at_ns: done }) => blocking === 'NobodyOnShift' && done === null,
  ).length

/** Completed quests that were open within the last five minutes. */
function finishedQuests(): Claim {
  const openAt = new Map<string, number>()
  return {
    key: ['quest'],
    *look({ at, snapshot }) {
      for (const { id, state } of snapshot.collections.quests) {
        if (state !== 'Done') openAt.set(String(id), at)
        else if (at - (openAt.get(String(id)) ?? -Infinity) < 290) yield [String(id), 2]
      }
    },
  }
}

export const workClaims = () => ({
  DcsimNoTechnicianOnShift: {
    key: [],
    look: withoutTechnician,
    amount: { unit: 'count' as const, of: (sight: Sight) => [['', waiting(sight)] as const] },
  },
  DcsimQuestDone: finishedQuests(),
  DcsimWorkBlocked: { key: ['blocking'], look: blocked },
  DcsimWorkOrderStuck: ofRecords(
    'work_order',
    'workOrders',
    ({ started_at_ns: started, resolved_at_ns: done }, { snapshot }) =>
      started !== null &&
      done === null &&
      snapshot.simTimeNs - BigInt(started) > BigInt(thresholds.workOrderOldHours) * hourNs,
  ),
})
