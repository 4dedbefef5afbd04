import { customerMessages } from './customers.ts'
import { incidentMessages } from './incidents.ts'
import { networkMessages } from './network.ts'
import { questMessages } from './quests.ts'
import { workMessages } from './work.ts'
import { worldMessages } from './world.ts'

/** Every message key with its English template. A placeholder is a name in braces. */
export const messages = {
  ...customerMessages,
  ...incidentMessages,
  ...networkMessages,
  ...questMessages,
  ...workMessages,
  ...worldMessages,
} as const

export type MessageKey = keyof typeof messages

type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

/** The arguments that a message needs, read off its template. */
export type ArgumentsOf<K extends MessageKey> = {
  readonly [P in Placeholders<(typeof messages)[K]>]: string | number
}

export interface Argument {
  key: string
  text: string
  number: number
  is_number: boolean
}

/** Numbers as people write them: no exponent, at most two decimals, a space between thousands. */
export function numberText(value: number): string {
  const rounded = Math.round(value * 100) / 100
  const [whole, fraction] = Math.abs(rounded).toFixed(2).split('.') as [string, string]
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ' ')
  const decimals = fraction.replace(/0+$/, '')
  return `${rounded < 0 ? '-' : ''}${grouped}${decimals === '' ? '' : `.${decimals}`}`
}

/** The argument list of a message; a missing or misspelt argument does not compile. */
export function messageArguments<K extends MessageKey>(_key: K, given: ArgumentsOf<K>): Argument[] {
  return Object.entries<string | number>(given).map(([key, value]) =>
    typeof value === 'number'
      ? { key, text: numberText(value), number: value, is_number: true }
      : { key, text: value, number: 0, is_number: false },
  )
}

/** What a message says. */
export function messageText(key: string, given: readonly Argument[]): string {
  const template: string = (messages as Record<string, string>)[key] ?? key
  return template.replace(
    /\{([^}]*)\}/g,
    (placeholder, name: string) => given.find((argument) => argument.key === name)?.text ?? placeholder,
  )
}
