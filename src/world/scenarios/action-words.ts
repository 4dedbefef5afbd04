/** Actions as the command `act` reads them: `SwitchFailure core busiest for 30m`. */
import { applianceKinds, switchRoles, threatClasses, tiers } from '../../contract/vocabularies.ts'
import { remedies } from '../simulation/faults/remedies.ts'
import type { Action } from '../simulation/scenarios/scenario.ts'
import { actionRules, linkRoles, picks } from '../simulation/scenarios/scenario.ts'
import { closestMatch } from '../../text/closest-match.ts'
import { parseDuration } from '../../text/duration.ts'
import { parseActionLine } from './action-line.ts'
import { actionNames, selectors } from './parse-action.ts'

/** Values that stand without a keyword, by the key of the target that they set. */
const targetWords: readonly (readonly [key: string, words: readonly string[]])[] = [
  ['role', [...switchRoles, ...applianceKinds, ...linkRoles]],
  ['tier', tiers],
  ['pick', picks],
]

/** Keywords, each followed by a value. */
const leadingWords = ['zone', 'side', 'id', 'count', 'share', 'magnitude', 'for', 'at'] as const
type LeadingWord = (typeof leadingWords)[number]

const ofTarget: ReadonlySet<string> = new Set(['zone', 'side', 'id', 'count', 'share'])
const isNumber: ReadonlySet<string> = new Set(['zone', 'id', 'count', 'magnitude'])

const otherWords: readonly string[] = [
  ...targetWords.flatMap(([, words]) => words),
  ...threatClasses,
  ...leadingWords,
]

const sides: ReadonlySet<string> = new Set(['A', 'B'])

const capitalized = new Map(
  [...actionNames, ...Object.keys(selectors), ...threatClasses, ...sides].map((word) => [
    word.toLowerCase(),
    word,
  ]),
)

/** `customer` for `Customer`, unless it means something else. */
const asWritten = (word: string): string =>
  otherWords.includes(word) ? word : (capitalized.get(word) ?? word)

type Draft = Record<string, unknown> & { target: Record<string, unknown> }

/** Longer ones first, as one may begin another. */
const remedyNames = Object.keys(remedies).toSorted((a, b) => b.length - a.length)

const textLengthMax = 500

/** The line of an actions file, or the first error in the words. */
export function actionLineOf(text: string): { readonly json: string } | { readonly problem: string } {
  if (text.length > textLengthMax)
    return { problem: `got ${text.length} characters, expected an action of at most ${textLengthMax}` }
  const order = orderLineOf(text.trim().replaceAll(/\s+/g, ' '))
  if (order !== null) return order
  const [name = '', ...words] = text.trim().split(/\s+/).map(asWritten)
  const action = actionNames.find((known) => known === name)
  if (action === undefined) return { problem: unknownAction(name, words) }
  const { targets } = actionRules[action]
  const draft: Draft = { do: action, target: { kind: targets[0] } }
  for (let at = 0; at < words.length; ) {
    const read = readWord(draft, action, words, at)
    if (typeof read === 'string') return { problem: read }
    at += read
  }
  if (targets.length > 1 && !words.some((word) => (targets as readonly string[]).includes(word)))
    return { problem: `${action}: expected what it applies to, one of ${targets.join(', ')}` }
  const json = JSON.stringify(draft)
  const parsed = parseActionLine(json)
  return 'problem' in parsed ? { problem: parsed.problem.message } : { json }
}

/** The line of a repair that a team orders, `replace disk tfd-a-b01-u14 at 5m`; null if no repair is named. */
function orderLineOf(text: string): { readonly json: string } | { readonly problem: string } | null {
  const remedy = remedyNames.find((known) => `${text.toLowerCase()} `.startsWith(`${known} `))
  if (remedy === undefined) return null
  const [, on = '', at] = /^(.*?)(?: at (\d[\d smhd]*))?$/.exec(text.slice(remedy.length).trim()) ?? []
  if (on === '') return { problem: `"${remedy}": expected the name of what it is for, as dashboards show it` }
  const json = JSON.stringify({ order: remedy, on, ...(at !== undefined && { at }) })
  const parsed = parseActionLine(json)
  return 'problem' in parsed ? { problem: parsed.problem.message } : { json }
}

/** Reads one keyword with its value; returns the number of words read, or an error message. */
function readWord(draft: Draft, action: Action, words: readonly string[], at: number): number | string {
  const word = words[at]
  const targets: readonly string[] = actionRules[action].targets
  const mayBeFeed = targets.includes('PowerFeed') && (draft.target['kind'] ?? 'PowerFeed') === 'PowerFeed'
  if (mayBeFeed && sides.has(word)) return set(draft.target, 'side', word, 1)
  if (targets.includes(word)) return set(draft.target, 'kind', word, 1)
  if ((threatClasses as readonly string[]).includes(word)) return set(draft, 'class', word, 1)
  for (const [key, known] of targetWords) if (known.includes(word)) return set(draft.target, key, word, 1)
  const leading = leadingWords.find((known) => known === (synonyms.get(word) ?? word))
  if (leading === undefined) return readName(draft, action, words, at)
  return readValue(draft, leading, words, at + 1)
}

/** Words as in names and sentences: "feed A of Tallisford A". */
const synonyms: ReadonlyMap<string, LeadingWord> = new Map([
  ['feed', 'side'],
  ['of', 'zone'],
  ['in', 'zone'],
])

/** Names have digits, dashes or capital letters; other words that are not known are mistyped. */
const isName = (word: string): boolean => /[A-Z\d–-]/.test(word)

/** Words that belong to a name, up to the next keyword. */
function nameAt(words: readonly string[], at: number): string {
  const isOther = (word: string): boolean => otherWords.includes(word) || synonyms.has(word)
  const end = words.findIndex((word, index) => index > at && isOther(word))
  return words.slice(at, end < 0 ? words.length : end).join(' ')
}

/** Reads the name of the target. */
function readName(draft: Draft, action: Action, words: readonly string[], at: number): number | string {
  if (!isName(words[at])) return unknown('word', words[at], [...actionRules[action].targets, ...otherWords])
  const name = nameAt(words, at)
  return set(draft.target, 'name', name, name.split(' ').length)
}

function set(object: Record<string, unknown>, key: string, value: unknown, taken: number): number {
  object[key] = value
  return taken
}

/** Spans may be of several words: `for 1h 30m`. */
function readValue(draft: Draft, key: LeadingWord, words: readonly string[], at: number): number | string {
  const value = words[at]
  if (value === undefined) return `"${key}": expected a value, got nothing`
  if (key === 'for' || key === 'at') {
    let end = at
    while (end < words.length && parseDuration(words.slice(at, end + 1).join(' ')) !== null) end++
    if (end === at) return `"${key}": got "${value}", expected a time such as 45s, 30m or 1h 30m`
    return set(draft, key, words.slice(at, end).join(' '), 1 + end - at)
  }
  const object = ofTarget.has(key) ? draft.target : draft
  if (key === 'side') return set(object, key, value, 2)
  if (key === 'zone' && !/^\d+%?$/.test(value) && isName(value)) {
    const name = nameAt(words, at)
    return set(object, key, name, 1 + name.split(' ').length)
  }
  const number = /^\d+(?:\.\d+)?%?$/.test(value) ? Number.parseFloat(value) : Number.NaN
  if (Number.isNaN(number) || (isNumber.has(key) && value.endsWith('%')))
    return `"${key}": got "${value}", expected a number`
  return set(object, key, value.endsWith('%') ? number / 100 : number, 2)
}

/** A mistyped repair is of two words, most often. */
function unknownAction(name: string, words: readonly string[]): string {
  const repair = closestMatch([name, ...words.slice(0, 1)].join(' '), remedyNames)
  return repair === null
    ? unknown('action', name, actionNames)
    : `unknown repair "${name} ${words[0] ?? ''}"; did you mean "${repair}"?`
}

function unknown(what: string, word: string, known: readonly string[]): string {
  const match = closestMatch(word, known)
  const hint = match === null ? 'act --list lists what there is' : `did you mean "${match}"?`
  return `unknown ${what} "${word}"; ${hint}`
}
