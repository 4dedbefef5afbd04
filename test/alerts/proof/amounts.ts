import type { Amount, Claim, Holding, Sight } from './claim.ts'
import { scrapeSeconds } from './scrape.ts'

/** The amount of a thing at each scrape. */
export type Amounts = Readonly<
  Record<string, Readonly<Record<string, readonly (readonly [number, number])[]>>>
>

/** Amounts far below the limit of their alert are in no text. */
const nearLimit = 0.7

/** Notes the amounts that texts state as a run goes by. */
export class AmountNotes {
  readonly #of: Record<string, Record<string, [number, number][]>> = {}

  note(alert: string, { amount }: Claim, sight: Sight, holdings: readonly Holding[]): void {
    if (amount === undefined || sight.at % scrapeSeconds !== 0) return
    const { scale, of } = amount
    if (of !== undefined) for (const [key, value] of of(sight)) this.#add(alert, key, sight.at, value)
    if (scale === undefined) return
    for (const [key, strength] of holdings) {
      if (strength > nearLimit) this.#add(alert, key, sight.at, strength * scale)
    }
  }

  #add(alert: string, key: string, at: number, value: number): void {
    const byKey = (this.#of[alert] ??= {})
    const list = (byKey[key] ??= [])
    // Six digits are more than any text has.
    const rounded = Number(value.toPrecision(6))
    if (list.at(-1)?.[1] !== rounded || list.at(-1)![0] < sightGap(at)) list.push([at, rounded])
  }

  get amounts(): Amounts {
    return this.#of
  }
}

/** An amount that stays the same is noted again once in a while, as a sign that it is still there. */
const sightGap = (at: number): number => at - 6 * scrapeSeconds

const inSeconds: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1, ms: 0.001 }
const plain = (digits: string): number => Number(digits.replaceAll(',', ''))

/** How texts write amounts, and what they mean. */
const writings: Readonly<Record<Amount['unit'], readonly [RegExp, (found: RegExpExecArray) => number]>> = {
  percent: [/^No |(\d[\d.]*)%/, ([, digits = '0']) => plain(digits) / 100],
  celsius: [/(-?\d[\d.]*) °C/, ([, digits]) => plain(digits)],
  times: [/(\d[\d.,]*) (?:times|frames)/, ([, digits]) => plain(digits)],
  count: [/(?:^|: )([\d,]+)(?: (?:more )?[a-z]+|\.)/, ([, digits]) => plain(digits)],
  dollars: [/(-?)\$([\d,]+)/, ([, sign, digits]) => plain(sign + digits)],
  duration: [
    /((?:\d+(?:ms|[dhms]) ?)+)(?= |$)/,
    ([, text]) =>
      [...text.matchAll(/(\d+)(ms|[dhms])/g)].reduce(
        (sum, [, n, unit]) => sum + Number(n) * inSeconds[unit],
        0,
      ),
  ],
}

/** The smallest step between two amounts as they are written. */
const steps: Readonly<Record<Amount['unit'], number>> = {
  percent: 0.01,
  celsius: 0.1,
  times: 0.1,
  count: 0,
  dollars: 1,
  duration: 1,
}

/** What is wrong with the amount that a text states, given what the thing had lately; null if nothing is. */
export function wrongAmount(
  text: string,
  { unit, tolerance = 0.02 }: Amount,
  noted: Amounts[string][string] | undefined,
  [from, to]: readonly [number, number],
): string | null {
  const [pattern, read] = writings[unit]
  const found = pattern.exec(text)
  if (found === null) return `no ${unit} is stated`
  const stated = read(found)
  const near = (noted ?? []).filter(([at]) => at >= from - 30 && at <= to).map(([, value]) => value)
  const isNear = (value: number): boolean =>
    Math.abs(value - stated) <= steps[unit] + tolerance * Math.max(Math.abs(value), Math.abs(stated))
  // Between two scrapes an amount passes through all that lies between.
  const isBetween = near.length > 0 && stated >= Math.min(...near) && stated <= Math.max(...near)
  if (near.some(isNear) || isBetween) return null
  return `${found[0].trim()} is ${near.length === 0 ? 'nothing that the world has' : near.at(-1)}`
}
