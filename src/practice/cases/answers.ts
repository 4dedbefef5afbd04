/** Answers to cases: a JSON line for each. */
import { quoted } from '../../text/quoted.ts'

/** A named diagnosis: entities, the likeliest first; none where all is well. */
export interface Answer {
  readonly case: string
  readonly entities: readonly string[]
  readonly kind?: string
  readonly at_seconds?: number
  readonly path?: readonly string[]
}

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

function isAnswer(value: unknown): value is Answer {
  const {
    case: name,
    entities,
    kind = '',
    at_seconds: at = 0,
    path = [],
  } = (value ?? {}) as Record<keyof Answer, unknown>
  return (
    [name, kind].every((text) => typeof text === 'string') &&
    Number.isFinite(at) &&
    [entities, path].every(isTextList)
  )
}

/** The content of a JSON text; null if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Answers by case, or what is wrong with the first line that is none. */
export function readCaseAnswers(
  text: string,
  isCase: (name: string) => boolean,
): Map<string, Answer> | string {
  const answers = new Map<string, Answer>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const where = `line ${index + 1}`
    const answer = parsedJson(line)
    if (!isAnswer(answer))
      return `${where}: expected {"case":"1000-3","entities":["tfd-a-core1"]}, got ${quoted(line)}`
    const name = quoted(answer.case)
    if (!isCase(answer.case)) return `${where}: there is no case ${name}`
    if (answers.has(answer.case)) return `${where}: a second answer to the case ${name}`
    answers.set(answer.case, answer)
  }
  return answers
}
