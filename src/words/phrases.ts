/** Lists, amounts and plurals in sentences. */
import { numberText } from '../contract/messages/catalog.ts'

/** Throws for a number that an upstream left out: no text can contain it. */
export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be said in a text.`)
  return value
}

/** A number without rounding. */
export const plain = (value: number): string => String(finite(value))

/** A number to one decimal. */
export const rounded = (value: number): string => plain(Math.round(10 * value) / 10)

/** A number without decimals. */
export const whole = (value: number): string => plain(Math.round(value))

/** A share in percent without decimals. */
export const wholePercent = (value: number): string => `${whole(value)} %`

/** `1 host`, `2 hosts`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${numberText(finite(count))} ${count === 1 ? noun : plural}`

/** Names that a sentence has before the rest is counted, and those of a sentence that is about them. */
export const [listedMax, longListMax] = [3, 10]

/** `a`, `a and b`, `a, b and c`; a count if there are more than `shownMax`. */
export function listed(items: readonly string[], shownMax: number = listedMax): string {
  if (items.length <= 1) return items[0] ?? ''
  if (items.length <= shownMax) return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
  return `${items.slice(0, shownMax).join(', ')} and ${numberText(items.length - shownMax)} more`
}

/** `$61`, `-$0.50`: cents only if rounding to dollars would lose too much. */
export function dollarsText(amount: number): string {
  const isWhole = Number.isInteger(Math.round(100 * finite(amount)) / 100)
  const digits = Math.abs(amount) < 10 && !isWhole ? 2 : 0
  const [whole, cents] = Math.abs(amount).toFixed(digits).split('.')
  const withCommas = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const text = cents === undefined ? withCommas : `${withCommas}.${cents}`
  return `${amount < 0 && Number(text) !== 0 ? '-' : ''}$${text}`
}

/** Capitalizes the first letter of a sentence, unless it begins with the name of a device. */
export const capitalized = (text: string): string =>
  /^[a-z]+-\S*\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1)

/** Removes the full stop, so that the sentence can continue. */
export const withoutStop = (text: string): string => text.replace(/\.$/, '')
