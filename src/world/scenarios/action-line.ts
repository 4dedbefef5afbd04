/** One line of an actions file: an action of the scenario language as JSON, with an optional time. */
import type { ScenarioAction } from '../simulation/scenarios/scenario.ts'
import type { Micros } from '../simulation/time.ts'
import { remedies } from '../simulation/faults/remedies.ts'
import type { TeamOrder } from '../simulation/scenarios/team-orders.ts'
import { ObjectReader, parseTextField, readSpan, readWord } from './fields.ts'
import { parseDocument, ScenarioError } from './json-document.ts'
import { actionKeys, readAction } from './parse-action.ts'
import { problemAt } from './parse-scenario.ts'

const lineLengthMax = 10_000

export interface ActionLine {
  /** Time since the end of the warm-up; null for an immediate action. */
  readonly at: Micros | null
  readonly action: ScenarioAction | TeamOrder
}

/** The action of a line, or the column (from 1) and the reason of its rejection. */
type ParsedLine =
  | { readonly line: ActionLine }
  | { readonly problem: { readonly column: number; readonly message: string } }

const orderKeys = ['order', 'on'] as const
const nameLengthMax = 200

function readOrder(fields: ObjectReader): TeamOrder {
  for (const key of actionKeys) {
    const node = fields.optional(key)
    if (node !== null) throw new ScenarioError(node.offset, `"${key}" cannot be combined with "order"`)
  }
  return {
    remedy: readWord(fields.required('order', 'a repair'), 'repair', Object.keys(remedies)),
    on: parseTextField(fields.required('on', 'the name of what it is for'), nameLengthMax),
  }
}

export function parseActionLine(text: string): ParsedLine {
  const tooLong = `expected at most ${lineLengthMax} characters, got ${text.length}`
  if (text.length > lineLengthMax) return { problem: { column: 1, message: tooLong } }
  try {
    const fields = new ObjectReader(parseDocument(text), 'an action', ['at', ...orderKeys, ...actionKeys])
    const at = fields.read<Micros | null>('at', (node) => readSpan(node, 0), null)
    const isOrder = fields.optional('order') !== null
    return { line: { at, action: isOrder ? readOrder(fields) : readAction(fields) } }
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    const { column, message } = problemAt(text, error)
    return { problem: { column, message } }
  }
}
