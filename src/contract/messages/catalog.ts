import { capacityMessages } from './capacity.ts'
import { chapterMessages } from './chapters.ts'
import { customerMessages } from './customers.ts'
import { causeMessages } from './incident-causes.ts'
import { incidentEventMessages } from './incident-events.ts'
import { symptomMessages } from './incident-symptoms.ts'
import { questMessages } from './quests.ts'
import { workMessages } from './work.ts'

const worldMessages = {
  'event.link-saturated': '{link} is saturated: {load} of {capacity} Gbit/s.',
  'event.links-saturated': '{links} links are saturated, among them {link}: {load} of {capacity} Gbit/s.',
  'event.link-recovered': '{link} is no longer saturated: {load} Gbit/s.',
  'event.links-recovered': '{links} links are no longer saturated, among them {link}: {load} Gbit/s.',
  'event.day-started': 'Day {day} starts with {hosts} hosts and {customers} customers.',
  'event.occasion': 'Demand changes with the date: {occasion}.',
  'event.world-started': 'The world started with {hosts} hosts and {customers} customers.',
} as const

/** Every message key with its English template. Placeholders are names in braces. */
export const messages = {
  ...capacityMessages,
  ...chapterMessages,
  ...customerMessages,
  ...symptomMessages,
  ...causeMessages,
  ...incidentEventMessages,
  ...questMessages,
  ...workMessages,
  ...worldMessages,
} as const

export type MessageKey = keyof typeof messages

type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

/** The arguments of a message, derived from its template. */
export type ArgumentsOf<K extends MessageKey> = {
  readonly [P in Placeholders<(typeof messages)[K]>]: string | number
}

export interface Argument {
  key: string
  text: string
  number: number
  is_number: boolean
}

/** Formats a number for people: no exponent, at most two decimals, a comma between thousands. */
export function numberText(value: number): string {
  const rounded = Math.round(value * 100) / 100
  const [whole, fraction] = Math.abs(rounded).toFixed(2).split('.') as [string, string]
  const withCommas = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const decimals = fraction.replace(/0+$/, '')
  return `${rounded < 0 ? '-' : ''}${withCommas}${decimals === '' ? '' : `.${decimals}`}`
}

/** A duration in at most two units: `22 min`, `1 h 20 min`, `3 d 4 h`. */
export function spanInWords(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return joined(hours, 'h', minutes % 60, 'min')
  return joined(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

const joined = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`

/** Arguments that are durations, in words: seconds of their units. */
const spanSeconds: Readonly<Record<string, number>> = { minutes: 60, hours: 3600 }

/** `183.60`, `1,409`: dollars have cents or none. */
const dollarsText = (value: number): string => numberText(value).replace(/\.\d$/, '$&0')

/** Builds the argument list of a message. A missing or misspelled argument does not compile. */
export function messageArguments<K extends MessageKey>(
  message: K,
  argumentsByName: ArgumentsOf<K>,
): Argument[] {
  const template: string = messages[message]
  return Object.entries<string | number>(argumentsByName).map(([key, value]) => {
    if (typeof value !== 'number') return { key, text: value, number: 0, is_number: false }
    const amount = template.includes(`$\{${key}}`) ? dollarsText(value) : numberText(value)
    const text = Object.hasOwn(spanSeconds, key) ? spanInWords(value * spanSeconds[key]) : amount
    return { key, text, number: value, is_number: true }
  })
}

/** A placeholder and the noun that it counts. */
const placeholders = /\{([^}]*)\}( (?:customer|day|host|incident|unit)s\b)?/g

/** The text of a message; a counted noun is in the singular after 1. */
export function messageText(key: string, messageArgs: readonly Argument[]): string {
  const template: string = (messages as Record<string, string>)[key] ?? key
  return template.replace(placeholders, (whole, name: string, noun = '') => {
    const argument = messageArgs.find((each) => each.key === name)
    if (argument === undefined) return whole
    return argument.text + (argument.text === '1' ? noun.slice(0, -1) : noun)
  })
}
