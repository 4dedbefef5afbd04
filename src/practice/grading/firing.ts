/** A half-open interval of seconds. */
export type Span = readonly [from: number, to: number]

export const meets = ([from, to]: Span, [otherFrom, otherTo]: Span): boolean =>
  from < otherTo && otherFrom < to

/** One evaluation of an alert's expression: the label sets of its series, each as text. */
export interface Evaluation {
  readonly at: number
  readonly series: readonly string[]
}

/**
 * Firing spans by the rules of Prometheus: a series that is in the result of every evaluation for `forSeconds` seconds
 * begins to fire, and stops at the first evaluation after it has been missing for `keepFiringSeconds` seconds.
 */
export function firings(
  evaluations: Iterable<Evaluation>,
  forSeconds: number,
  keepFiringSeconds = 0,
): Map<string, Span[]> {
  const since = new Map<string, number>()
  const keptSince = new Map<string, number>()
  const fired = new Map<string, [number, number][]>()
  let last = 0
  const openSpan = (series: string): [number, number] | undefined => {
    const span = fired.get(series)?.at(-1)
    return span?.[1] === Number.POSITIVE_INFINITY ? span : undefined
  }
  const end = (series: string, at: number): void => {
    const open = openSpan(series)
    if (open !== undefined) open[1] = at
    since.delete(series)
    keptSince.delete(series)
  }
  for (const { at, series } of evaluations) {
    const currentSeries = new Set(series)
    for (const one of since.keys()) {
      if (currentSeries.has(one)) continue
      const kept = keptSince.get(one) ?? at
      keptSince.set(one, kept)
      if (openSpan(one) === undefined || at - kept >= keepFiringSeconds) end(one, at)
    }
    for (const one of currentSeries) {
      keptSince.delete(one)
      const began = since.get(one) ?? at
      since.set(one, began)
      if (at - began < forSeconds || openSpan(one) !== undefined) continue
      const spans = fired.get(one) ?? []
      fired.set(one, spans)
      spans.push([at, Number.POSITIVE_INFINITY])
    }
    last = at
  }
  for (const one of since.keys()) end(one, last + 1)
  return fired
}
