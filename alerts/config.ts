import { collectorFamilies } from '../src/metrics/exposition/exposition.ts'
import { mirrorFamilies } from '../src/metrics/declaration/mirror-families.ts'
import { families } from '../src/metrics/families/all.ts'
import { closestMatch } from '../src/text/closest-match.ts'
import { identityProblem } from './identity.ts'
import { targetLabels } from '../promql/metrics.ts'
import { defaultSettings } from './settings.ts'
import type { AlertSettings, Tuned } from './settings.ts'
import { alertSeverities } from './severity.ts'
import type { AlertSeverity } from './severity.ts'
import { alertNames } from './cases/alert-cases.ts'
import type { AlertName } from './cases/alert-cases.ts'
import { declaredThresholds, thresholdNames } from '../src/contract/thresholds.ts'
import type { ThresholdName } from '../src/contract/thresholds.ts'

type Reading = { readonly settings: AlertSettings } | { readonly problems: readonly string[] }

type Entries = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const shown = (value: unknown): string => JSON.stringify(value)
const oneOf = (names: readonly string[]): string => names.join(', ')

type Check = (value: unknown, tell: (problem: string) => void) => void

const number =
  (from: number, to: number): Check =>
  (value, tell) => {
    const fits = typeof value === 'number' && value >= from && value <= to
    if (!fits) tell(`is ${shown(value)}; a number from ${from} to ${to} was expected`)
  }

const text =
  (pattern: RegExp, expected: string): Check =>
  (value, tell) => {
    if (typeof value !== 'string' || !pattern.test(value))
      tell(`is ${shown(value)}; ${expected} was expected`)
  }

const checkThresholds: Check = (value, tell) => {
  if (!isObject(value)) return tell(`is ${shown(value)}; an object of numbers was expected`)
  for (const [name, chosen] of Object.entries(value)) {
    if (!Object.hasOwn(declaredThresholds, name)) {
      tell(`has no ${shown(name)}; ${meantOr(name, thresholdNames)}`)
      continue
    }
    const { from, to } = declaredThresholds[name as ThresholdName]
    number(from, to)(chosen, (problem) => tell(`${name} ${problem}`))
  }
}

/** Labels that the rules set. */
const reservedLabels: readonly string[] = ['alertname', 'severity', 'category', 'subject', ...targetLabels]

const checkLabels: Check = (value, tell) => {
  if (!isObject(value)) return tell(`is ${shown(value)}; an object of texts was expected`)
  for (const [label, chosen] of Object.entries(value)) {
    const fits = /^[A-Za-z_]\w*$/.test(label) && !label.startsWith('__') && !reservedLabels.includes(label)
    if (!fits) tell(`has ${shown(label)}; a label name other than ${oneOf(reservedLabels)} was expected`)
    text(/^[^\n{}]+$/, 'a text without braces or line ends')(chosen, (problem) => tell(`${label} ${problem}`))
  }
}

type Declared = Readonly<Record<string, { readonly labels: readonly string[] }>>
const labelsOf = (declared: Declared): string[] => Object.values(declared).flatMap(({ labels }) => labels)

/** Labels that distinguish the series of one target, or that rules set. */
const ownLabels: ReadonlySet<string> = new Set([
  ...reservedLabels,
  'alertstate',
  'le',
  ...[families, mirrorFamilies, collectorFamilies].flatMap(labelsOf),
])

const checkIdentity: Check = (value, tell) => {
  const problem = identityProblem(value, ownLabels)
  if (problem !== null) tell(problem)
}

/** The name that was meant, or all of them. */
function meantOr(name: string, names: readonly string[]): string {
  const likely = closestMatch(name, names)
  return likely === null ? `there are ${oneOf(names)}` : `did you mean ${likely}?`
}

/** There are too many alerts to list all names. */
function noAlert(name: unknown): string {
  const likely = typeof name === 'string' ? closestMatch(name, alertNames) : null
  const hint = likely === null ? 'alerts/runbooks describes all' : `did you mean ${likely}?`
  return `${shown(name)}, which is no alert; ${hint}`
}

const checkOff: Check = (value, tell) => {
  if (!Array.isArray(value)) return tell(`is ${shown(value)}; a list of alerts was expected`)
  for (const name of value as unknown[]) {
    if (!alertNames.includes(name as AlertName)) {
      tell(`has ${noAlert(name)}`)
    }
  }
}

const waits = /^(?:\d+[smhd])+$/
const tunable: Readonly<Record<keyof Tuned, Check>> = {
  severity: (value, tell) => {
    if (!alertSeverities.includes(value as AlertSeverity))
      tell(`is ${shown(value)}; one of ${oneOf(alertSeverities)} was expected`)
  },
  for: text(waits, 'a time such as 30s or 5m'),
  keepFiringFor: text(waits, 'a time such as 30s or 5m'),
}

const checkTuned: Check = (value, tell) => {
  if (!isObject(value)) return tell(`is ${shown(value)}; an object was expected`)
  for (const [key, chosen] of Object.entries(value)) {
    if (Object.hasOwn(tunable, key))
      tunable[key as keyof Tuned](chosen, (problem) => tell(`${key} ${problem}`))
    else tell(`has ${shown(key)}; ${meantOr(key, Object.keys(tunable))}`)
  }
}

const checkAlerts: Check = (value, tell) => {
  if (!isObject(value)) return tell(`is ${shown(value)}; an object with alerts was expected`)
  for (const [name, tuned] of Object.entries(value)) {
    if (alertNames.includes(name as AlertName)) checkTuned(tuned, (problem) => tell(`${name} ${problem}`))
    else tell(`has ${noAlert(name)}`)
  }
}

const address = text(/^https?:\/\/[^\s{}]+[^\s{}/]$/, 'an http or https address without a slash at its end')

const checks: Readonly<Record<keyof AlertSettings, Check>> = {
  thresholds: checkThresholds,
  speed: number(0.1, 100_000),
  scrape: number(1, 300),
  job: text(/^[^\s"\\{}]+$/, 'the name of a scrape job, or a pattern'),
  grafana: address,
  runbooks: address,
  identity: checkIdentity,
  labels: checkLabels,
  off: checkOff,
  alerts: checkAlerts,
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Reads a tuning file; reports all its problems at once. */
export function readSettings(json: string, defaults: AlertSettings = defaultSettings): Reading {
  const tuned = parsed(json)
  if (tuned instanceof Error) return { problems: [`not JSON: ${tuned.message}`] }
  if (!isObject(tuned)) return { problems: [`is ${shown(tuned)}; an object was expected`] }
  const problems: string[] = []
  for (const [key, value] of Object.entries(tuned)) {
    if (Object.hasOwn(checks, key)) {
      checks[key as keyof AlertSettings](value, (problem) => problems.push(`${key} ${problem}`))
    } else problems.push(`there is no setting ${shown(key)}; ${meantOr(key, Object.keys(checks))}`)
  }
  if (problems.length > 0) return { problems }
  const chosen = tuned as Partial<AlertSettings>
  const thresholds = { ...defaults.thresholds, ...chosen.thresholds }
  return { settings: { ...defaults, ...chosen, thresholds } }
}
