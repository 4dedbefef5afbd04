import { applianceKinds, switchRoles, threatClasses, tiers } from '../../contract/vocabularies.ts'
import { type Micros, stepLength } from '../time.ts'
import { ObjectReader, readNumber, readSpan, readText, readWhole, readWord, refuse } from './fields.ts'
import { type JsonNode, JsonProblem, placeIn, readJson } from './json-text.ts'
import {
  clocks,
  type Deed,
  type DeedRule,
  deeds,
  highestSpontaneity,
  linkRoles,
  longestText,
  mostSteps,
  mostTargets,
  picks,
  type Scenario,
  type ScenarioStep,
  type TargetChoice,
  type TargetKind,
} from './scenario.ts'

export interface ScenarioProblem {
  /** Both from 1. */
  readonly line: number
  readonly column: number
  /** What came and what was expected. */
  readonly message: string
}

export type ScenarioReading = { readonly scenario: Scenario } | { readonly problem: ScenarioProblem }

/** Reads a scenario, or says where it is wrong and what was expected there. */
export function parseScenario(text: string): ScenarioReading {
  if (text.length > longestText) {
    const message = `expected at most ${longestText} characters, but ${text.length} came`
    return { problem: { line: 1, column: 1, message } }
  }
  try {
    return { scenario: readScenario(readJson(text)) }
  } catch (error) {
    if (error instanceof JsonProblem)
      return { problem: { ...placeIn(text, error.at), message: error.message } }
    throw error
  }
}

const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

function readName(node: JsonNode): string {
  const name = readText(node, 40)
  return namePattern.test(name) ? name : refuse(node, 'lower-case words with dashes between them')
}

function readScenario(node: JsonNode): Scenario {
  const known = ['name', 'title', 'description', 'spontaneity', 'times_count_from', 'warmup', 'steps']
  const fields = new ObjectReader(node, 'a scenario', known)
  return {
    name: readName(fields.required('name', 'lower-case words with dashes between them')),
    title: readText(fields.required('title', 'a text of 1 to 80 characters'), 80),
    description: readText(fields.required('description', 'a text of 1 to 600 characters'), 600),
    spontaneity: fields.read('spontaneity', (value) => readNumber(value, 0, highestSpontaneity), 1),
    timesCountFrom: fields.read('times_count_from', (value) => readWord(value, 'moment', clocks), 'warm-up'),
    warmup: fields.read<Micros | null>('warmup', (value) => readSpan(value, 0), null),
    steps: readSteps(fields.required('steps', 'a list of steps')),
  }
}

function readSteps(node: JsonNode): ScenarioStep[] {
  if (node.kind !== 'array') return refuse(node, 'a list of steps')
  if (node.items.length > mostSteps) {
    throw new JsonProblem(node.at, `expected at most ${mostSteps} steps, but ${node.items.length} came`)
  }
  return node.items.map(readStep).toSorted((a, b) => a.at - b.at)
}

function readStep(node: JsonNode): ScenarioStep {
  const fields = new ObjectReader(node, 'a step', ['at', 'do', 'target', 'magnitude', 'for', 'class'])
  const at = readSpan(fields.required('at', 'a time such as "2d 4h"'), 0)
  const deed = readWord(fields.required('do', 'what to do'), 'thing to do', Object.keys(deeds) as Deed[])
  const rule = deeds[deed]
  return {
    at,
    deed,
    target: readTarget(fields.required('target', 'what to do it to'), deed, rule),
    magnitude: readMagnitude(fields, deed, rule),
    lasts: readLasts(fields, deed, rule),
    attackClass: deed === 'Attack' ? readAttackClass(fields) : unwanted(fields, 'class', deed, null),
  }
}

/** Refuses a member that means nothing for the deed. */
function unwanted<T>(fields: ObjectReader, key: string, deed: Deed, otherwise: T): T {
  const node = fields.optional(key)
  if (node === null) return otherwise
  throw new JsonProblem(node.at, `"${key}" means nothing for ${deed}: expected it to be left out`)
}

const readAttackClass = (fields: ObjectReader) =>
  readWord(fields.required('class', 'the class of the attack'), 'class of attack', threatClasses)

function readMagnitude(fields: ObjectReader, deed: Deed, rule: DeedRule): number {
  if (rule.magnitude === null) return unwanted(fields, 'magnitude', deed, 1)
  const [lowest, highest, usual] = rule.magnitude
  // Of a power supply failure it says which supplies: 1 that on feed A, 2 that on feed B, 3 both.
  const read = deed === 'PowerSupplyFailure' ? readWhole : readNumber
  return fields.read('magnitude', (node) => read(node, lowest, highest), usual)
}

function readLasts(fields: ObjectReader, deed: Deed, rule: DeedRule): Micros | null {
  if (rule.lasts === 'never') return unwanted(fields, 'for', deed, null)
  if (rule.lasts === 'must') fields.required('for', `how long ${deed} lasts, such as "45m"`)
  return fields.read<Micros | null>('for', (node) => readSpan(node, stepLength), null)
}

const placed = ['zone']
/** What else than id, pick, count and share can narrow down a choice. */
const selectors: Readonly<Record<TargetKind, readonly string[]>> = {
  Host: placed,
  Switch: [...placed, 'role'],
  Gateway: placed,
  Appliance: [...placed, 'role'],
  Cable: [...placed, 'role'],
  Port: [...placed, 'role'],
  PowerFeed: [...placed, 'side'],
  CoolingUnit: placed,
  Customer: ['tier'],
}

function readTarget(node: JsonNode, deed: Deed, rule: DeedRule): TargetChoice {
  const every = ['kind', 'id', 'zone', 'role', 'side', 'tier', 'pick', 'count', 'share']
  const fields = new ObjectReader(node, 'a target', every)
  const kindNode = fields.required('kind', `one of ${rule.targets.join(', ')}`)
  const kind = readWord(kindNode, `target of ${deed}`, rule.targets)
  for (const key of ['zone', 'role', 'side', 'tier']) {
    const value = fields.optional(key)
    if (value !== null && !selectors[kind].includes(key)) {
      const usable = ['id', ...selectors[kind], 'pick', 'count', 'share'].join(', ')
      throw new JsonProblem(value.at, `"${key}" does not narrow down a ${kind}: expected any of ${usable}`)
    }
  }
  const id = fields.read<number | null>('id', (value) => readWhole(value, 1, Number.MAX_SAFE_INTEGER), null)
  refuseBesides(fields, 'id', ['zone', 'role', 'side', 'tier', 'pick', 'count', 'share'])
  refuseBesides(fields, 'share', ['count'])
  return {
    kind,
    id,
    zone: fields.read<number | null>('zone', (value) => readWhole(value, 1, 1_000), null),
    role: fields.read<TargetChoice['role']>('role', (value) => readRole(value, kind), null),
    side: fields.read<TargetChoice['side']>('side', (value) => readWord(value, 'side', ['A', 'B']), null),
    tier: fields.read<TargetChoice['tier']>('tier', (value) => readWord(value, 'tier', tiers), null),
    pick: fields.read<TargetChoice['pick']>('pick', readPick, 'first'),
    count: fields.read('count', (value) => readWhole(value, 1, mostTargets), 1),
    share: fields.read<number | null>('share', (value) => readNumber(value, 0.001, 1), null),
  }
}

/** Refuses what says nothing more once a certain member is given. */
function refuseBesides(fields: ObjectReader, given: string, keys: readonly string[]): void {
  if (fields.optional(given) === null) return
  for (const key of keys) {
    const node = fields.optional(key)
    if (node !== null) throw new JsonProblem(node.at, `"${key}" cannot stand beside "${given}"`)
  }
}

function readRole(node: JsonNode, kind: TargetKind): TargetChoice['role'] {
  if (kind === 'Switch') return readWord(node, 'role of a switch', switchRoles)
  if (kind === 'Appliance') return readWord(node, 'role of an appliance', applianceKinds)
  return readWord(node, 'role of a link', linkRoles)
}

function readPick(node: JsonNode): TargetChoice['pick'] {
  return node.kind === 'number' ? readWhole(node, 1, mostTargets) : readWord(node, 'way to pick', picks)
}
