/** Lists, amounts and plurals in sentences. */
import { numberText } from '../contract/messages/catalog.ts'

/** A number for a text. One that an upstream left out is not finite, and there is no text with it. */
export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be said in a text.`)
  return value
}

/** A number as it is. */
export const plain = (value: number): string => String(finite(value))

/** A number to one decimal. */
export const rounded = (value: number): string => plain(Math.round(10 * value) / 10)

/** A share in percent without decimals. */
export const wholePercent = (value: number): string => `${plain(Math.round(value))} %`

/** `1 host`, `2 hosts`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${numberText(finite(count))} ${count === 1 ? noun : plural}`

/** `a`, `a and b`, `a, b and c`; from the fourth on as a number. */
export function listed(items: readonly string[], shownMax = 3): string {
  if (items.length <= 1) return items[0] ?? ''
  if (items.length <= shownMax) return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
  return `${items.slice(0, shownMax).join(', ')} and ${numberText(items.length - shownMax)} more`
}

/** `$61`, `-$0.50`: cents only where dollars alone would round too much away. */
export function dollarsText(amount: number): string {
  const digits = Math.abs(finite(amount)) < 10 && !Number.isInteger(amount) ? 2 : 0
  const [whole, cents] = Math.abs(amount).toFixed(digits).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const text = cents === undefined ? grouped : `${grouped}.${cents}`
  return `${amount < 0 && Number(text) !== 0 ? '-' : ''}$${text}`
}

/** The sentence with a capital letter at its beginning. */
export const capitalized = (text: string): string =>
  text === '' ? '' : text[0].toUpperCase() + text.slice(1)

/** The sentence without its full stop, to continue it. */
export const withoutStop = (text: string): string => text.replace(/\.$/, '')
