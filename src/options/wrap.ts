/** As wide as help is written, so that it fits most terminals. */
export const columns = 100

/** Breaks a line between words where it would grow too long; what follows stands under `indent` spaces. */
export function wrapped(line: string, indent: number): string {
  const [, lead, rest] = /^(\s*)(.*)$/.exec(line)!
  const lines: string[] = []
  let current = lead
  for (const word of rest.split(/(?<=\S) (?=\S)/)) {
    const isFirst = current.trim() === ''
    if (!isFirst && current.length + 1 + word.length > columns) {
      lines.push(current)
      current = ' '.repeat(indent) + word
    } else current += isFirst ? word : ` ${word}`
  }
  return [...lines, current].join('\n')
}
