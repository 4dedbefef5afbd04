/** As much YAML as rules need: maps, lists, strings, numbers, booleans. The same value gives the same text. */
export type Yaml = string | number | boolean | readonly Yaml[] | { readonly [key: string]: Yaml | null }

/** What can stand without quotes and is read as a string. */
const plain = /^(?!(?:true|false|null|yes|no|on|off|y|n|~)$)[A-Za-z_/][\w./-]*$/i

function scalar(value: string | number | boolean, indent: string): string {
  if (typeof value !== 'string') return String(value)
  if (value.includes('\n')) return `|-\n${value.replaceAll(/^(?=.)/gm, indent)}`
  return plain.test(value) ? value : `'${value.replaceAll("'", "''")}'`
}

const isList = (value: Yaml): value is readonly Yaml[] => Array.isArray(value)

function lines(value: Yaml, indent: string): string {
  if (typeof value !== 'object') return ` ${scalar(value, indent)}\n`
  if (isList(value)) {
    if (value.length === 0) return ' []\n'
    return `\n${value.map((item) => `${indent}-${entry(item, `${indent}  `)}`).join('')}`
  }
  const members = Object.entries(value).filter(([, member]) => member !== null) as [string, Yaml][]
  if (members.length === 0) return ' {}\n'
  return `\n${members.map(([key, member]) => `${indent}${scalar(key, '')}:${lines(member, `${indent}  `)}`).join('')}`
}

/** A list's item: what it holds begins on the line of the dash. */
function entry(item: Yaml, indent: string): string {
  const text = lines(item, indent)
  return text.startsWith('\n') ? ` ${text.slice(1 + indent.length)}` : text
}

export const yamlText = (value: Yaml): string => lines(value, '').slice(1)
