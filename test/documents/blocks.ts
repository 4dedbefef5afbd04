/** The fenced blocks of the pages that people read. */
import { readFileSync, readdirSync } from 'node:fs'
import { root } from '../containers/stack-file.ts'

export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  /** Words after the language, which no reader of the page sees. */
  readonly marks: readonly string[]
  readonly text: string
  /** The paragraph above. */
  readonly before: string
}

const documents = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .toSorted()
export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'alerts/README.md',
  'dashboards/README.md',
  ...documents,
]

const textOf = (page: string): string => readFileSync(new URL(page, root), 'utf8')

function blocksOf(page: string): Block[] {
  const text = textOf(page)
  return Array.from(text.matchAll(/^( *)```(\w+)([^\n]*)\n([^]*?)^\1```$/gm), (found) => {
    const [, indent, language, marks, body] = found
    const above = text.slice(0, found.index)
    return {
      page,
      line: above.split('\n').length,
      language,
      marks: marks.split(' ').filter((word) => word !== ''),
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      before: above.trimEnd().split('\n\n').at(-1)!,
    }
  })
}

export const blocks: readonly Block[] = pages.flatMap(blocksOf)

export const isShell = ({ language }: Block): boolean => language === 'sh'

const command = /^(?:[A-Z_]+=\S* )?(?:bin\/dcsim-mirror|curl|docker|git|grep|npm|npx|promtool|amtool) ./

/** The text of a page outside of blocks. */
export const proseOf = (page: string): string => textOf(page).replaceAll(/^( *)```[^]*?^\1```$/gm, '')

/** Commands between backticks in the text of a page. */
export const commandsIn = (page: string): string[] =>
  Array.from(proseOf(page).matchAll(/`([^`\n]+)`/g), ([, code]) => code).filter((code) => command.test(code))

/** The commands of a block, without comments; lines that end with a backslash are joined. */
export const commandsOf = ({ text }: Block): string[] =>
  text
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/'[^']*'/g, (quoted) => quoted.replaceAll(/\n\s*/g, ' '))
    .split('\n')
    .map((line) => line.replace(/(?:^|\s{2,})# .*$/, '').trim())
    .filter((command) => command !== '')

/** The file that a block is to be saved as: in its marks, or in a comment in its first line. */
export function fileOf({ language, marks, text }: Block): string | null {
  if (language === 'sh') return null
  const named = marks.find((word) => word.includes('.')) ?? /^(?:#|\/\/) (\S+\.\S+)\n/.exec(text)?.[1]
  return named === undefined || named.startsWith('/') ? null : named
}
