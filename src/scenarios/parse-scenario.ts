import type { Node } from 'jsonc-parser'
import { applianceKinds, switchRoles, threatClasses, tiers } from '../contract/vocabularies.ts'
import {
  type Action,
  actionRules,
  linkRoles,
  picks,
  type Scenario,
  type ScenarioStep,
  type TargetSelector,
  timeOrigins,
} from '../simulation/scenarios/scenario.ts'
import type { ActionRule, ActionTarget } from '../simulation/faults/fault-kind.ts'
import { type Micros, stepLength } from '../simulation/time.ts'
import {
  fail,
  ObjectReader,
  readInteger,
  parseNumberField,
  readSpan,
  parseTextField,
  readWord,
} from './fields.ts'
import { parseDocument, ScenarioError } from './json-document.ts'

export const textLengthMax = 200_000
export const stepsMax = 200
const targetsMax = 1_000
const zoneIdMax = 1_000
const spontaneityMax = 20

interface ScenarioProblem {
  /** Both count from 1. */
  readonly line: number
  readonly column: number
  /** What was expected, and what the file has instead. */
  readonly message: string
}

type ParsedScenario = { readonly scenario: Scenario } | { readonly problem: ScenarioProblem }

/** Parses the text of a scenario file; time and memory are linear in its length. */
export function parseScenario(text: string): ParsedScenario {
  if (text.length > textLengthMax) {
    const message = `expected at most ${textLengthMax} characters, got ${text.length}`
    return { problem: { line: 1, column: 1, message } }
  }
  try {
    return { scenario: readScenario(parseDocument(text)) }
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    const lines = text.slice(0, error.offset).split('\n')
    const column = (lines.at(-1)?.length ?? 0) + 1
    return { problem: { line: lines.length, column, message: error.message } }
  }
}

const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const nameFormat = 'lowercase words joined by dashes'

function readName(node: Node): string {
  const name = parseTextField(node, 40)
  return namePattern.test(name) ? name : fail(node, nameFormat)
}

function readScenario(node: Node): Scenario {
  const keys = ['name', 'title', 'description', 'spontaneity', 'times_count_from', 'warmup', 'steps']
  const fields = new ObjectReader(node, 'a scenario', keys)
  return {
    name: readName(fields.required('name', nameFormat)),
    title: parseTextField(fields.required('title', 'a text of 1 to 80 characters'), 80),
    description: parseTextField(fields.required('description', 'a text of 1 to 600 characters'), 600),
    spontaneity: fields.read('spontaneity', (value) => parseNumberField(value, 0, spontaneityMax), 1),
    timesCountFrom: fields.read(
      'times_count_from',
      (value) => readWord(value, 'time origin', timeOrigins),
      'warm-up',
    ),
    warmup: fields.read<Micros | null>('warmup', (value) => readSpan(value, 0), null),
    steps: readSteps(fields.required('steps', 'a list of steps')),
  }
}

function readSteps(node: Node): ScenarioStep[] {
  if (node.type !== 'array') return fail(node, 'a list of steps')
  const steps = node.children ?? []
  if (steps.length > stepsMax) {
    throw new ScenarioError(node.offset, `expected at most ${stepsMax} steps, got ${steps.length}`)
  }
  return steps.map(readStep).toSorted((a, b) => a.at - b.at)
}

function readStep(node: Node): ScenarioStep {
  const fields = new ObjectReader(node, 'a step', ['at', 'do', 'target', 'magnitude', 'for', 'class'])
  const at = readSpan(fields.required('at', 'a time such as "2d 4h"'), 0)
  const action = readWord(fields.required('do', 'an action'), 'action', Object.keys(actionRules) as Action[])
  const rule = actionRules[action]
  return {
    at,
    action,
    target: readTarget(fields.required('target', 'what the action applies to'), action, rule),
    magnitude: readMagnitude(fields, action, rule),
    duration: readDuration(fields, action, rule),
    attackClass: action === 'Attack' ? readAttackClass(fields) : refuse(fields, 'class', action, null),
  }
}

/** Refuses a key that has no meaning for the action. */
function refuse<T>(fields: ObjectReader, key: string, action: Action, defaultValue: T): T {
  const node = fields.optional(key)
  if (node === null) return defaultValue
  throw new ScenarioError(node.offset, `"${key}" does not apply to ${action}`)
}

const readAttackClass = (fields: ObjectReader) =>
  readWord(fields.required('class', 'the class of the attack'), 'attack class', threatClasses)

function readMagnitude(fields: ObjectReader, action: Action, rule: ActionRule): number {
  if (rule.magnitude === null) return refuse(fields, 'magnitude', action, 1)
  const { min, max, defaultValue } = rule.magnitude
  // The magnitude of a power supply failure is a bit mask: 1 the supply on feed A, 2 that on feed B.
  const read = action === 'PowerSupplyFailure' ? readInteger : parseNumberField
  return fields.read('magnitude', (node) => read(node, min, max), defaultValue)
}

function readDuration(fields: ObjectReader, action: Action, rule: ActionRule): Micros | null {
  if (rule.duration === 'none') return refuse(fields, 'for', action, null)
  if (rule.duration === 'required') fields.required('for', `the duration of ${action}, such as "45m"`)
  return fields.read<Micros | null>('for', (node) => readSpan(node, stepLength), null)
}

const anySelector = ['pick', 'count', 'share'] as const
/** What else narrows down the targets of a kind. */
const selectors: Readonly<Record<ActionTarget, readonly string[]>> = {
  Host: ['zone'],
  Switch: ['zone', 'role'],
  Gateway: ['zone'],
  Appliance: ['zone', 'role'],
  Cable: ['zone', 'role'],
  Port: ['zone', 'role'],
  PowerFeed: ['zone', 'side'],
  CoolingUnit: ['zone'],
  Customer: ['tier'],
}
const kindSelectors = ['zone', 'role', 'side', 'tier'] as const

function readTarget(node: Node, action: Action, rule: ActionRule): TargetSelector {
  const fields = new ObjectReader(node, 'a target', ['kind', 'id', ...kindSelectors, ...anySelector])
  const kindNode = fields.required('kind', `one of ${rule.targets.join(', ')}`)
  const kind = readWord(kindNode, `target of ${action}`, rule.targets)
  for (const key of kindSelectors) {
    const value = fields.optional(key)
    if (value === null || selectors[kind].includes(key)) continue
    const usable = ['id', ...selectors[kind], ...anySelector].join(', ')
    throw new ScenarioError(value.offset, `"${key}" does not select a ${kind}; expected any of ${usable}`)
  }
  refuseTogether(fields, 'id', [...kindSelectors, ...anySelector])
  refuseTogether(fields, 'share', ['count'])
  return {
    kind,
    id: fields.read<number | null>('id', (value) => readInteger(value, 1, Number.MAX_SAFE_INTEGER), null),
    zone: fields.read<number | null>('zone', (value) => readInteger(value, 1, zoneIdMax), null),
    role: fields.read<TargetSelector['role']>('role', (value) => readRole(value, kind), null),
    side: fields.read<TargetSelector['side']>('side', (value) => readWord(value, 'side', ['A', 'B']), null),
    tier: fields.read<TargetSelector['tier']>('tier', (value) => readWord(value, 'tier', tiers), null),
    pick: fields.read<TargetSelector['pick']>('pick', readPick, 'first'),
    count: fields.read('count', (value) => readInteger(value, 1, targetsMax), 1),
    share: fields.read<number | null>('share', (value) => parseNumberField(value, 0.001, 1), null),
  }
}

/** Refuses keys that add nothing once another key is set. */
function refuseTogether(fields: ObjectReader, key: string, others: readonly string[]): void {
  if (fields.optional(key) === null) return
  for (const other of others) {
    const node = fields.optional(other)
    if (node !== null) throw new ScenarioError(node.offset, `"${other}" cannot be combined with "${key}"`)
  }
}

function readRole(node: Node, kind: ActionTarget): TargetSelector['role'] {
  if (kind === 'Switch') return readWord(node, 'switch role', switchRoles)
  if (kind === 'Appliance') return readWord(node, 'appliance role', applianceKinds)
  return readWord(node, 'link role', linkRoles)
}

const readPick = (node: Node): TargetSelector['pick'] =>
  node.type === 'number' ? readInteger(node, 1, targetsMax) : readWord(node, 'pick', picks)
