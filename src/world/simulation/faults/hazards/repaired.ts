import type { Micros } from '../../time.ts'
import { day } from '../../time.ts'
import type { Fault } from '../model.ts'

/** When a part was last repaired of a kind of fault: what was renewed and tested does not fail again at once. */
export type Repaired = Map<string, Micros>

/** For two days the same does not happen again by chance, and for two weeks less often. */
const testedFor = 2 * day
const freshFor = 14 * day
const freshFactor = 0.3

type Failure = Pick<Fault, 'kind' | 'target'>

const keyOf = ({ kind, target }: Failure): string =>
  target.kind === 'Customer' ? '' : `${kind} ${target.kind} ${target.row}`

export function markRepaired(repaired: Repaired, fault: Failure, now: Micros): void {
  for (const [key, at] of repaired) if (now - at >= freshFor) repaired.delete(key)
  const key = keyOf(fault)
  if (key !== '') repaired.set(key, now)
}

/** Factor on the likelihood that a part fails in a way of which it was repaired. */
export function repairedFactor(repaired: Repaired, failure: Failure, now: Micros): number {
  const at = repaired.get(keyOf(failure))
  if (at === undefined || now - at >= freshFor) return 1
  return now - at < testedFor ? 0 : freshFactor
}
