import { readFileSync, readdirSync } from 'node:fs'
import { root } from '../containers/stack-file.ts'

interface ShellLine {
  readonly file: string
  /** Without comments; lines that end with a backslash are joined. */
  readonly command: string
}

const pages = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
const files = [
  'README.md',
  'CONTRIBUTING.md',
  'alerts/README.md',
  'dashboards/README.md',
  ...pages.toSorted(),
]

function linesOf(file: string): ShellLine[] {
  const text = readFileSync(new URL(file, root), 'utf8')
  return [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].flatMap(([, block]) =>
    block
      .replaceAll(/\\\n\s*/g, ' ')
      .replaceAll(/'[^']*'/g, (quoted) => quoted.replaceAll(/\n\s*/g, ' '))
      .split('\n')
      .map((line) => line.replace(/(?:^|\s{2,})# .*$/, '').trim())
      .filter((command) => command !== '')
      .map((command) => ({ file, command })),
  )
}

/** Every command in the documents. */
export const shellLines: readonly ShellLine[] = files.flatMap(linesOf)
