/** A strict parser of the text format, independent of the exposition's code. */
export interface ParsedFamily {
  readonly type: string
  readonly help: string
  /** Values by sample: name and labels in their original text. */
  readonly samples: Map<string, number>
}

const helpLine = /^# HELP (?<name>[a-zA-Z_:][\w:]*) (?<help>.*)$/
const typeLine = /^# TYPE (?<name>[a-zA-Z_:][\w:]*) (?<type>counter|gauge|histogram|summary)$/
const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`
const sampleLine = new RegExp(
  String.raw`^(?<sample>(?<name>[a-zA-Z_:][\w:]*)(?:\{${label}(?:,${label})*\})?) +(?<value>-?(?:\d+(?:\.\d+)?(?:e[+-]\d+)?|Inf)|NaN)$`,
)

function groupsOf(pattern: RegExp, line: string): Record<string, string> {
  const groups = pattern.exec(line)?.groups
  if (groups === undefined) throw new Error(`Not as expected: ${line}`)
  return groups
}

export function parseExposition(text: string): Map<string, ParsedFamily> {
  const families = new Map<string, ParsedFamily>()
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('The last line has no end.')
  let current: [string, ParsedFamily] | null = null
  for (let at = 0; at < lines.length; at++) {
    if (lines[at].startsWith('#')) {
      const { name, help } = groupsOf(helpLine, lines[at])
      const typed = groupsOf(typeLine, lines[++at])
      if (typed['name'] !== name || families.has(name)) throw new Error(`${name} is declared badly.`)
      current = [name, { type: typed['type'], help, samples: new Map() }]
      families.set(...current)
      continue
    }
    const { sample, name, value } = groupsOf(sampleLine, lines[at])
    if (current === null) throw new Error(`${sample} has no family.`)
    const suffixes = current[1].type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    if (!suffixes.some((suffix) => `${current?.[0]}${suffix}` === name)) throw new Error(`${sample} strayed.`)
    if (current[1].samples.has(sample)) throw new Error(`${sample} is there twice.`)
    current[1].samples.set(sample, Number(value))
  }
  return families
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export const textOf = (chunks: readonly { readonly bytes: Uint8Array }[]): string =>
  chunks.map(({ bytes }) => decoder.decode(bytes)).join('')

export const parseChunks = (chunks: readonly { readonly bytes: Uint8Array }[]): Map<string, ParsedFamily> =>
  parseExposition(textOf(chunks))
