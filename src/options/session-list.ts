/** The list of a service's sessions: `NAME=SOURCE?SETTING=VALUE&…`, separated by commas. */
import { sessionNamePattern } from '../contract/session.ts'
import { sourceKindOf } from '../sources/registry.ts'
import { closestMatch } from '../text/closest-match.ts'
import { quoted } from '../text/quoted.ts'
import { splitOnce } from '../text/split-once.ts'
import { replaySettings } from './recording-settings.ts'
import { collectorsSetting, worldSettings } from './world-settings.ts'

/** A session in the list. */
export interface ListedSession {
  readonly name: string
  /** Whether its world is the built-in one. */
  readonly isBuiltIn: boolean
  /** The flags that select its world. */
  readonly flags: readonly string[]
}

const sessionsMax = 100
const listForm = 'NAME=SOURCE, NAME=SOURCE?SETTING=VALUE&…, separated by commas'

const { source: _, ...settings } = { ...worldSettings, ...replaySettings, collectors: collectorsSetting }
/** The settings that a session in the list takes. */
export const listedSettings: readonly string[] = Object.keys(settings)

/** A comma within a value, such as between collectors, is not followed by a name and an equals sign. */
const separator = /,(?=[^=,?&]*=)/

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** The flags of one setting, or an error message. */
function readSetting(text: string): readonly string[] | string {
  const [name, encoded] = splitOnce(text, '=')
  if (!listedSettings.includes(name)) {
    const suggestion = closestMatch(name, listedSettings)
    const advice =
      suggestion === null ? `expected one of ${listedSettings.join(', ')}` : `did you mean "${suggestion}"?`
    return `unknown setting ${quoted(name)}; ${advice}`
  }
  const value = decoded(encoded)
  if (value === null) return `${name}: got ${quoted(encoded)} with broken percent-encoding`
  if (value === '')
    return `${name}: got no value, expected ${settings[name as keyof typeof settings].placeholder}`
  return [`--${name}=${value}`]
}

function readSession(text: string): ListedSession | string {
  const [name, listed] = splitOnce(text, '=')
  if (!text.includes('=') || !sessionNamePattern.test(name))
    return `got ${quoted(text)}, expected ${listForm}; a name has up to 64 letters, digits, dots, colons, dashes and underscores`
  const [source, query] = splitOnce(listed, '?')
  const [, afterComma] = splitOnce(source, ',')
  if (source.includes(',')) return `got ${quoted(afterComma)}, expected ${listForm}`
  if (source === '') return `session "${name}": got no source, expected ${listForm}`
  const flags = [`--source=${source}`]
  for (const setting of query === '' ? [] : query.split('&')) {
    const read = readSetting(setting)
    if (typeof read === 'string') return `session "${name}": ${read}`
    flags.push(...read)
  }
  return { name, isBuiltIn: sourceKindOf(source) === 'simulation', flags }
}

/** The sessions of a list, or an error message. */
export function readSessionList(list: string): readonly ListedSession[] | string {
  if (list === '') return []
  const sessions: ListedSession[] = []
  for (const text of list.split(separator)) {
    const session = readSession(text.trim())
    if (typeof session === 'string') return session
    if (sessions.some(({ name }) => name === session.name))
      return `session "${session.name}": given more than once, expected names that differ`
    sessions.push(session)
  }
  return sessions.length > sessionsMax
    ? `got ${sessions.length} sessions, expected at most ${sessionsMax}`
    : sessions
}
