import type { Span } from '../../../src/practice/grading/firing.ts'

/** Spans in which a claim held, by name and key. */
export type Chronicle = Readonly<Record<string, Readonly<Record<string, readonly Span[]>>>>

/** Records the spans of claims, second by second. */
export class ChangeFeed {
  readonly #spans = new Map<string, Map<string, [number, number][]>>()

  note(name: string, key: string, at: number): void {
    let byKey = this.#spans.get(name)
    if (byKey === undefined) this.#spans.set(name, (byKey = new Map()))
    let spans = byKey.get(key)
    if (spans === undefined) byKey.set(key, (spans = []))
    const last = spans.at(-1)
    if (last !== undefined && last[1] >= at) last[1] = at + 1
    else spans.push([at, at + 1])
  }

  get chronicle(): Chronicle {
    return Object.fromEntries([...this.#spans].map(([name, byKey]) => [name, Object.fromEntries(byKey)]))
  }
}
