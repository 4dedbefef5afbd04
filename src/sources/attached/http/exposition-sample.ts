export interface Sample {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

const nameCharacter = /[\w:]/
const number = /^[\d.eE+-]+$/

/** A sample of the text exposition format without a timestamp; null for any other line. Takes linear time. */
export function parseSample(line: string): Sample | null {
  const nameEnd = endOfName(line, 0)
  const labels = new Map<string, string>()
  let at = nameEnd
  if (line[at] === '{') {
    at = readLabels(line, at + 1, labels)
    if (at < 0) return null
  }
  const value = line.slice(at).trim()
  if (nameEnd === 0 || line[at] !== ' ' || !number.test(value)) return null
  return { name: line.slice(0, nameEnd), labels, value: Number(value) }
}

function endOfName(line: string, from: number): number {
  let at = from
  while (at < line.length && nameCharacter.test(line[at])) at++
  return at
}

/** Reads labels up to their closing brace. Returns the offset after it, or -1 for malformed labels. */
function readLabels(line: string, from: number, labels: Map<string, string>): number {
  let at = from
  while (line[at] !== '}') {
    const nameEnd = endOfName(line, at)
    if (nameEnd === at || line[nameEnd] !== '=' || line[nameEnd + 1] !== '"') return -1
    const valueAt = nameEnd + 2
    const valueEnd = endOfLabelValue(line, valueAt)
    if (valueEnd < 0) return -1
    labels.set(line.slice(at, nameEnd), unescapeLabel(line.slice(valueAt, valueEnd)))
    at = valueEnd + 1
    if (line[at] === ',') at++
    else if (line[at] !== '}') return -1
  }
  return at + 1
}

/** The offset of a label value's closing quote; -1 if there is none. */
function endOfLabelValue(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === '"') return at
    if (line[at] === '\\') at++
  }
  return -1
}

const unescapeLabel = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_whole, character: string) => (character === 'n' ? '\n' : character))
