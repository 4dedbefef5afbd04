import { applianceKinds, switchRoles, threatClasses, tiers } from '../../contract/vocabularies.ts'
import type { ActionRule, ActionTarget } from '../simulation/faults/fault-kind.ts'
import type { InjectableKind } from '../simulation/faults/kinds.ts'
import { faultActions } from '../simulation/faults/kinds.ts'
import type { Action, ScenarioAction, TargetSelector } from '../simulation/scenarios/scenario.ts'
import { actionRules, linkRoles, picks } from '../simulation/scenarios/scenario.ts'
import type { Micros } from '../simulation/time.ts'
import { stepLength } from '../simulation/time.ts'
import { ObjectReader, parseNumberField, parseTextField, readInteger, readSpan, readWord } from './fields.ts'
import { ScenarioError } from './json-document.ts'
import type { JsonNode } from './json-document.ts'

const targetsMax = 1_000
const nameLengthMax = 200
const zoneIdMax = 1_000

export const actionNames = Object.keys(actionRules) as Action[]
/** The actions that break something. */
export const breakingActions = Object.keys(faultActions) as InjectableKind[]
/** The keys of an action itself; scenario steps and action lines add theirs. */
export const actionKeys = ['do', 'target', 'magnitude', 'for', 'class'] as const

export function readAction(fields: ObjectReader): ScenarioAction {
  const action = readWord(fields.required('do', 'an action'), 'action', actionNames)
  const rule = actionRules[action]
  return {
    action,
    target: readTarget(fields.required('target', 'what the action applies to'), action, rule),
    magnitude: readMagnitude(fields, action, rule),
    duration: readDuration(fields, action, rule),
    attackClass: action === 'Attack' ? readAttackClass(fields) : refuse(fields, 'class', action, null),
  }
}

/** Rejects a key that does not apply to the action. */
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
  // The magnitude of a power supply failure is a bit mask of feeds: 1 for A, 2 for B.
  const read = action === 'PowerSupplyFailure' ? readInteger : parseNumberField
  return fields.read('magnitude', (node) => read(node, min, max), defaultValue)
}

function readDuration(fields: ObjectReader, action: Action, rule: ActionRule): Micros | null {
  if (rule.duration === 'none') return refuse(fields, 'for', action, null)
  if (rule.duration === 'required') fields.required('for', `the duration of ${action}, such as "45m"`)
  return fields.read<Micros | null>('for', (node) => readSpan(node, stepLength), null)
}

const anySelector = ['pick', 'count', 'share'] as const
/** Keys that narrow down the targets of a kind. */
export const selectors: Readonly<Record<ActionTarget, readonly string[]>> = {
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

function readTarget(node: JsonNode, action: Action, rule: ActionRule): TargetSelector {
  const fields = new ObjectReader(node, 'a target', ['kind', 'id', 'name', ...kindSelectors, ...anySelector])
  const kindNode = fields.required('kind', `one of ${rule.targets.join(', ')}`)
  const kind = readWord(kindNode, `target of ${action}`, rule.targets)
  for (const key of kindSelectors) {
    const value = fields.optional(key)
    if (value === null || selectors[kind].includes(key)) continue
    const usable = ['id', ...selectors[kind], ...anySelector].join(', ')
    throw new ScenarioError(value.offset, `"${key}" does not select a ${kind}; expected any of ${usable}`)
  }
  refuseTogether(fields, 'id', ['name', ...kindSelectors, ...anySelector])
  refuseTogether(fields, 'name', anySelector)
  refuseTogether(fields, 'share', ['count'])
  return {
    kind,
    id: fields.read<number | null>('id', (value) => readInteger(value, 1, Number.MAX_SAFE_INTEGER), null),
    name: fields.read<string | null>('name', (value) => parseTextField(value, nameLengthMax), null),
    zone: fields.read<number | string | null>('zone', readZone, null),
    role: fields.read<TargetSelector['role']>('role', (value) => readRole(value, kind), null),
    side: fields.read<TargetSelector['side']>('side', (value) => readWord(value, 'side', ['A', 'B']), null),
    tier: fields.read<TargetSelector['tier']>('tier', (value) => readWord(value, 'tier', tiers), null),
    pick: fields.read<TargetSelector['pick']>('pick', readPick, 'first'),
    count: fields.read('count', (value) => readInteger(value, 1, targetsMax), 1),
    share: fields.read<number | null>('share', (value) => parseNumberField(value, 0.001, 1), null),
  }
}

/** Rejects keys made redundant by another key. */
function refuseTogether(fields: ObjectReader, key: string, others: readonly string[]): void {
  if (fields.optional(key) === null) return
  for (const other of others) {
    const node = fields.optional(other)
    if (node !== null) throw new ScenarioError(node.offset, `"${other}" cannot be combined with "${key}"`)
  }
}

function readRole(node: JsonNode, kind: ActionTarget): TargetSelector['role'] {
  if (kind === 'Switch') return readWord(node, 'switch role', switchRoles)
  if (kind === 'Appliance') return readWord(node, 'appliance role', applianceKinds)
  return readWord(node, 'link role', linkRoles)
}

const readZone = (node: JsonNode): number | string =>
  typeof node.value === 'string' ? parseTextField(node, nameLengthMax) : readInteger(node, 1, zoneIdMax)

const readPick = (node: JsonNode): TargetSelector['pick'] =>
  typeof node.value === 'number' ? readInteger(node, 1, targetsMax) : readWord(node, 'pick', picks)
