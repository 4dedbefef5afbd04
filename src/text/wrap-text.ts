/** Width of help texts, which fits most terminals. */
const helpColumns = 100

/** Wraps a line between words. Continuation lines are indented. */
export function wrapText(line: string, indent: number): string {
  const [, lead, rest] = /^(\s*)(.*)$/.exec(line)!
  const lines: string[] = []
  let current = lead
  for (const word of rest.split(/(?<=\S) (?=\S)/)) {
    const isFirst = current.trim() === ''
    if (!isFirst && current.length + 1 + word.length > helpColumns) {
      lines.push(current)
      current = ' '.repeat(indent) + word
    } else current += isFirst ? word : ` ${word}`
  }
  return [...lines, current].join('\n')
}
