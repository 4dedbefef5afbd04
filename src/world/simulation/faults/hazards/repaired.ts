import type { Micros } from '../../time.ts'
import { day } from '../../time.ts'
import type { Fault } from '../model.ts'

/** Time of each part's last repair, by kind of fault: a renewed and tested part does not fail again at once. */
export type RepairTimes = Map<string, Micros>

/** The same random fault is excluded for two days, and less frequent for two weeks. */
const testedFor = 2 * day
const freshFor = 14 * day
const freshFactor = 0.3

type Failure = Pick<Fault, 'kind' | 'target'>

const keyOf = ({ kind, target }: Failure): string =>
  target.kind === 'Customer' ? '' : `${kind} ${target.kind} ${target.row}`

export function markRepaired(repaired: RepairTimes, fault: Failure, now: Micros): void {
  for (const [key, at] of repaired) if (now - at >= freshFor) repaired.delete(key)
  const key = keyOf(fault)
  if (key !== '') repaired.set(key, now)
}

/** Factor of an earlier repair on the probability that the same failure recurs. */
export function repairedFactor(repaired: RepairTimes, failure: Failure, now: Micros): number {
  const at = repaired.get(keyOf(failure))
  if (at === undefined || now - at >= freshFor) return 1
  return now - at < testedFor ? 0 : freshFactor
}
