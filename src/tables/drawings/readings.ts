/** Readings of records for pictures: null where an upstream left them out. */
import type { DrawnState } from '../../pictures/shapes.ts'
import { shareOf } from '../../pictures/shapes.ts'
import { listed } from '../../words/phrases.ts'
import { percentOf } from '../engine/columns.ts'
import type { RowState } from '../engine/columns.ts'
import { unlessUnknown } from '../engine/table.ts'

export const percentShare = (percent: number | null): number | null =>
  shareOf(percent === null ? null : percent / 100)
export const ratio = (part: number, whole: number): number | null => percentShare(percentOf(part, whole))
export const conditionOrNull = (read: () => RowState): RowState | null =>
  unlessUnknown(() => {
    const condition = read()
    return condition.state === '' ? null : condition
  })
/** The texts without those that an upstream left out. */
export const known = (...parts: readonly (() => string)[]): readonly string[] =>
  parts.map((part) => unlessUnknown(part) ?? '').filter((part) => part !== '')
export const joined = (...parts: readonly (() => string)[]): string => known(...parts).join(' · ')

const onOneFeed = 'on one power feed'

/**
 * A device on one feed where its whole rack or zone is: were each marked too, those that are down would not stand out.
 */
export const withoutFeed = (condition: RowState | null): RowState | null =>
  condition?.state === onOneFeed ? { ...condition, severity: 1 } : condition

interface Judged {
  readonly name: string
  readonly state: DrawnState | null
}

/** The names of those that are down by their state: "gw1 and gw2: no power". */
export function downText(entities: readonly Judged[]): string {
  const down = entities.filter(({ state }) => (state?.severity ?? 0) >= 4)
  return Array.from(
    Map.groupBy(down, ({ state }) => state!.state),
    ([state, some]) => `${listed(some.map(({ name }) => name))}: ${state}`,
  ).join(', ')
}

/** Of hundreds of devices, those in order need not say so. */
export function stateText(condition: RowState | null): string {
  if (condition === null) return 'unknown'
  return condition.severity === 0 ? '' : condition.state
}
