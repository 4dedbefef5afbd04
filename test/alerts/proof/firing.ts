import type { Span } from './chronicle.ts'

/** What an alert's expression gives at one evaluation: the labels of its series, as text that tells them apart. */
export interface Evaluation {
  readonly at: number
  readonly series: readonly string[]
}

/**
 * When alerts fire, as Prometheus decides it: a series that the expression gives at every evaluation for as long
 * as `holds` says begins to fire, and stops at the first evaluation that does not give it.
 */
export function firings(evaluations: Iterable<Evaluation>, holds: number): Map<string, Span[]> {
  const since = new Map<string, number>()
  const fired = new Map<string, [number, number][]>()
  let last = 0
  const end = (series: string, at: number): void => {
    const spans = fired.get(series)
    const open = spans?.at(-1)
    if (open !== undefined && open[1] === Number.POSITIVE_INFINITY) open[1] = at
    since.delete(series)
  }
  for (const { at, series } of evaluations) {
    const given = new Set(series)
    for (const one of since.keys()) if (!given.has(one)) end(one, at)
    for (const one of given) {
      const began = since.get(one) ?? at
      since.set(one, began)
      let spans = fired.get(one)
      if (at - began < holds || spans?.at(-1)?.[1] === Number.POSITIVE_INFINITY) continue
      if (spans === undefined) fired.set(one, (spans = []))
      spans.push([at, Number.POSITIVE_INFINITY])
    }
    last = at
  }
  for (const one of since.keys()) end(one, last + 1)
  return fired
}
