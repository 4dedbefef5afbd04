import type { Node, ParseErrorCode } from 'jsonc-parser'
import { parseTree, printParseErrorCode, visit } from 'jsonc-parser'

/** An error in the text of a scenario, with its offset. */
export class ScenarioError extends Error {
  readonly offset: number
  /** Offsets of further errors. */
  readonly otherOffsets: readonly number[]

  constructor(offset: number, message: string, otherOffsets: readonly number[] = []) {
    super(message)
    this.offset = offset
    this.otherOffsets = otherOffsets
  }
}

/** Bounds the recursion of the parser. */
const nestingMax = 16
const tokenLengthMax = 60

/** Throws at the first syntax error, or at excessive nesting. */
function checkSyntax(text: string): void {
  let depth = 0
  const enter = (offset: number): void => {
    if (++depth > nestingMax) throw new ScenarioError(offset, `nesting is deeper than ${nestingMax} levels`)
  }
  const leave = (): void => {
    depth--
  }
  visit(text, {
    onObjectBegin: enter,
    onObjectEnd: leave,
    onArrayBegin: enter,
    onArrayEnd: leave,
    onError(code, offset, length) {
      throw new ScenarioError(offset, syntaxMessage(code, text.slice(offset, offset + length)))
    },
  })
}

function syntaxMessage(code: ParseErrorCode, token: string): string {
  const message = printParseErrorCode(code)
    .replaceAll(/(?<=.)[A-Z]/g, ' $&')
    .toLowerCase()
  return token === ''
    ? message
    : `${message}, got ${JSON.stringify(token.replace(/^"(.*)"$/, '$1').slice(0, tokenLengthMax))}`
}

/** Parses JSON with comments. Each node carries its offset, so that errors can name a line and column. */
export function parseDocument(text: string): Node {
  checkSyntax(text)
  const root = parseTree(text)
  if (root === undefined) throw new ScenarioError(0, 'value expected')
  return root
}
