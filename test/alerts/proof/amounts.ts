import type { Amount, Claim, KeyedStrength, Sight } from './claim.ts'
import { scrapeSeconds } from './scrape.ts'

/** Amounts by alert and key, with the time of each change. */
export type Amounts = Readonly<
  Record<string, Readonly<Record<string, readonly (readonly [number, number])[]>>>
>

/** Amounts below this share of an alert's limit occur in no text. */
const nearLimit = 0.7

/** Records, during a run, the amounts that texts may state. */
export class AmountNotes {
  readonly #of: Record<string, Record<string, [number, number][]>> = {}

  note(alert: string, { amount }: Claim, sight: Sight, holdings: readonly KeyedStrength[]): void {
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
    // Texts have fewer than six significant digits.
    const rounded = Number(value.toPrecision(6))
    if (list.at(-1)?.[1] !== rounded || list.at(-1)![0] < sightGap(at)) list.push([at, rounded])
  }

  get amounts(): Amounts {
    return this.#of
  }
}

/** A constant amount is recorded again at this interval, as evidence that it still exists. */
const sightGap = (at: number): number => at - 6 * scrapeSeconds

const inSeconds: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1, ms: 0.001 }
const plain = (digits: string): number => Number(digits.replaceAll(',', ''))

/** The notation of each unit in texts, with its parser. */
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

/** The rounding step of each unit in texts. */
const steps: Readonly<Record<Amount['unit'], number>> = {
  percent: 0.01,
  celsius: 0.1,
  times: 0.1,
  count: 0,
  dollars: 1,
  duration: 1,
}

/** The error of an amount in a text, compared with recent amounts; null if it is correct. */
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
  // Between two scrapes an amount passes through all intermediate values.
  const isBetween = near.length > 0 && stated >= Math.min(...near) && stated <= Math.max(...near)
  if (near.some(isNear) || isBetween) return null
  return `${found[0].trim()} is ${near.length === 0 ? 'nothing that the world has' : near.at(-1)}`
}
