import { bands } from '../../contract/vocabularies.ts'
import type { Scenario, Schedule, ScheduledAction, ScenarioStep } from '../simulation/scenarios/scenario.ts'
import { timeOrigins } from '../simulation/scenarios/scenario.ts'
import type { Micros } from '../simulation/time.ts'
import { minute } from '../simulation/time.ts'
import {
  fail,
  ObjectReader,
  parseNumberField,
  parseTextField,
  readInteger,
  readSpan,
  readWord,
} from './fields.ts'
import { parseDocument, ScenarioError } from './json-document.ts'
import type { JsonNode } from './json-document.ts'
import { actionKeys, readAction } from './parse-action.ts'

export const textLengthMax = 200_000
export const stepsMax = 200
const weightMax = 1_000
const atOnceMax = 100
const spontaneityMax = 20

interface ScenarioProblem {
  /** Counts from 1, as does `column`. */
  readonly line: number
  readonly column: number
  /** The expected and the actual content. */
  readonly message: string
}

type ParsedScenario =
  | { readonly scenario: Scenario }
  | { readonly problem: ScenarioProblem; readonly otherLines: readonly number[] }

/** Parses the text of a scenario file, in linear time and memory. */
export function parseScenario(text: string): ParsedScenario {
  if (text.length > textLengthMax) {
    const message = `expected at most ${textLengthMax} characters, got ${text.length}`
    return { problem: { line: 1, column: 1, message }, otherLines: [] }
  }
  try {
    return { scenario: readScenario(parseDocument(text)) }
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    const problem = problemAt(text, error)
    const lines = new Set(error.otherOffsets.map((offset) => text.slice(0, offset).split('\n').length))
    return { problem, otherLines: [...lines].filter((line) => line !== problem.line) }
  }
}

export function problemAt(text: string, { offset, message }: ScenarioError): ScenarioProblem {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message }
}

const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const nameFormat = 'lowercase words joined by dashes'

function readName(node: JsonNode): string {
  const name = parseTextField(node, 40)
  return namePattern.test(name) ? name : fail(node, nameFormat)
}

function readScenario(node: JsonNode): Scenario {
  const keys = 'name title description spontaneity times_count_from warmup steps schedule'.split(' ')
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
    schedule: fields.read<Schedule | null>('schedule', readSchedule, null),
  }
}

function readSteps(node: JsonNode): ScenarioStep[] {
  const steps = readList(node, 'a list of steps', 'steps')
  return readEach(steps, readStep).toSorted((a, b) => a.at - b.at)
}

/** Reads all items before it throws, so that one error lists all mistakes. */
function readEach<T>(nodes: readonly JsonNode[], read: (node: JsonNode) => T): T[] {
  const errors: ScenarioError[] = []
  const items = nodes.flatMap((node) => {
    try {
      return [read(node)]
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error
      errors.push(error)
      return []
    }
  })
  const [first, ...others] = errors
  if (first === undefined) return items
  const otherOffsets = others.map(({ offset }) => offset)
  throw new ScenarioError(first.offset, first.message, otherOffsets)
}

function readList(node: JsonNode, expected: string, noun: string): readonly JsonNode[] {
  const items = node.items ?? fail(node, expected)
  if (items.length <= stepsMax) return items
  throw new ScenarioError(node.offset, `expected at most ${stepsMax} ${noun}, got ${items.length}`)
}

function readStep(node: JsonNode): ScenarioStep {
  const fields = new ObjectReader(node, 'a step', ['at', ...actionKeys])
  const at = readSpan(fields.required('at', 'a time such as "2d 4h"'), 0)
  return { at, ...readAction(fields) }
}

function readSchedule(node: JsonNode): Schedule {
  const keys = ['seed', 'every', 'hours', 'gravest', 'at_once', 'actions']
  const fields = new ObjectReader(node, 'a schedule', keys)
  const actions = fields.required('actions', 'a list of actions')
  const listed = readList(actions, 'a list of actions', 'actions')
  if (listed.length === 0) fail(actions, 'at least one action')
  return {
    seed: fields.read('seed', (value) => readInteger(value, 0, Number.MAX_SAFE_INTEGER), 1),
    every: readSpan(fields.required('every', 'the mean time between two actions, such as "4h"'), minute),
    hours: fields.read<Schedule['hours']>('hours', readHours, [0, 24]),
    gravest: readWord(fields.required('gravest', 'the band of the gravest incident allowed'), 'band', bands),
    atOnce: fields.read('at_once', (value) => readInteger(value, 1, atOnceMax), 1),
    actions: readEach(listed, readScheduledAction),
  }
}

function readHours(node: JsonNode): Schedule['hours'] {
  const [from, until, ...more] = node.items ?? []
  if (from === undefined || until === undefined || more.length > 0)
    return fail(node, 'two hours of the day, such as [9, 17]')
  const first = readInteger(from, 0, 23)
  return [first, readInteger(until, first + 1, 24)]
}

function readScheduledAction(node: JsonNode): ScheduledAction {
  const fields = new ObjectReader(node, 'a scheduled action', ['weight', ...actionKeys])
  const weight = fields.read('weight', (value) => parseNumberField(value, 0.001, weightMax), 1)
  return { weight, ...readAction(fields) }
}
