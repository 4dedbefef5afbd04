import { messages } from '../../src/contract/messages/catalogue.ts'
import type { MessageKey } from '../../src/contract/messages/catalogue.ts'

/**
 * An object as JSONata. The backend parser takes a full stop before a quotation mark for a path, wherever it stands,
 * so the stop is written otherwise.
 */
const literal = (value: Readonly<Record<string, string>>): string =>
  JSON.stringify(value).replaceAll('."', String.raw`\u002e"`)

/**
 * JSONata that turns message keys and their arguments into sentences, with the templates of the catalogue. It is put
 * before an expression: `$say(key, args)` is the sentence, and the key itself where no template is known.
 *
 * Root selectors begin with a parenthesis: the backend parser would take a bracket for a path of its own kind.
 */
export function messageTemplateQuery(prefix: string, rows: string): string {
  const keys = (Object.keys(messages) as MessageKey[]).filter((key) => key.startsWith(prefix))
  const templates = literal(Object.fromEntries(keys.map((key) => [key, messages[key]])))
  return [
    '(',
    `$templates := ${templates};`,
    '$fill := function($text, $argument) { $replace($text, "{" & $argument.key & "}", $argument.text) };',
    '$template := function($key) { $exists($lookup($templates, $key)) ? $lookup($templates, $key) : $key };',
    '$say := function($key, $args) { $reduce($args, $fill, $template($key)) };',
    `[${rows}]`,
    ')',
  ].join(' ')
}

/** Seconds of simulated time from a moment to the moment of the answer. */
export const secondsSince = (moment: string): string =>
  `$round(($$.meta.sim_time_ns - ${moment}) / 1000000000)`
/** Seconds between two moments. */
export const secondsBetween = (earlier: string, later: string): string =>
  `$round((${later} - ${earlier}) / 1000000000)`
