/** One line of an actions file: an action of the scenario language as JSON, with an optional time. */
import type { ScenarioAction } from '../simulation/scenarios/scenario.ts'
import type { Micros } from '../simulation/time.ts'
import { ObjectReader, readSpan } from './fields.ts'
import { parseDocument, ScenarioError } from './json-document.ts'
import { actionKeys, readAction } from './parse-action.ts'
import { problemAt } from './parse-scenario.ts'

const lineLengthMax = 10_000

export interface ActionLine {
  /** Time since the end of the warm-up; null for an immediate action. */
  readonly at: Micros | null
  readonly action: ScenarioAction
}

/** The action of a line, or the column (from 1) and the reason of its rejection. */
type ParsedLine =
  | { readonly line: ActionLine }
  | { readonly problem: { readonly column: number; readonly message: string } }

export function parseActionLine(text: string): ParsedLine {
  if (text.length > lineLengthMax)
    return {
      problem: { column: 1, message: `expected at most ${lineLengthMax} characters, got ${text.length}` },
    }
  try {
    const fields = new ObjectReader(parseDocument(text), 'an action', ['at', ...actionKeys])
    const at = fields.read<Micros | null>('at', (node) => readSpan(node, 0), null)
    return { line: { at, action: readAction(fields) } }
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    const { column, message } = problemAt(text, error)
    return { problem: { column, message } }
  }
}
