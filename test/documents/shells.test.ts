/** Commands on the pages are typed into sh, PowerShell and cmd. */
import { expect, test } from 'vitest'
import { blocks, commandsIn, isShell, pages } from './blocks.ts'
import type { Block } from './blocks.ts'

/** Syntax of one shell, which another refuses or understands otherwise. */
const ofOneShell: Readonly<Record<string, RegExp>> = {
  'a variable before a command': /^\s*[A-Z_]+=\S* \S/m,
  'a variable, or the output of a command': /\$|`/,
  'commands in one line': /&&|\|\||;\s/,
  'single quotes, which are none in cmd': /'/,
  'a line that continues': /\\$/m,
  'a comment behind a command': /\S\s+# /,
  'a loop, or a command of the shell': /^\s*(?:for|while|if|alias|export|source|cp|mv|rm|mkdir -p) /m,
  'another program of Unix': /\b(?:awk|gzip|sort|grep|sed|sudo|systemctl|chmod) /,
  'text that PowerShell writes as UTF-16, or reads': /\s[<>]\s/,
  'names that the shell expands': /\s[\w./-]*(?:\{[\w-]+,[\w,-]+\}|\*)[\w./-]*(?:\s|$)/m,
  'a flag of curl that PowerShell has otherwise': /^\s*curl -s/m,
}

/** A text with backticks: sh and PowerShell need single quotes. */
const quotedAlike = /'[^'\n]*`[^'\n]*'/g

const broken = (text: string): string[] =>
  Object.entries(ofOneShell).flatMap(([what, pattern]) =>
    pattern.test(text.replaceAll(quotedAlike, '')) ? [what] : [],
  )

/** A block for PowerShell follows. */
const hasTwin = (block: Block): boolean => {
  const next = blocks[blocks.indexOf(block) + 1]
  return next?.page === block.page && next.language === 'powershell'
}

test('a block that one shell alone understands has a twin for PowerShell', () => {
  const alone = blocks
    .filter((block) => isShell(block) && !hasTwin(block))
    .flatMap((block) => broken(block.text).map((what) => `${block.page}:${block.line}: ${what}`))
  expect(alone).toEqual([])
})

test('a command within a text is understood by every shell', () => {
  const alone = pages.flatMap((page) =>
    commandsIn(page).flatMap((command) => broken(command).map((what) => `${page}: ${command}: ${what}`)),
  )
  expect(alone).toEqual([])
})

test.each([
  ['DCSIM_SCENARIO=core-switch-at-peak docker compose up', 'a variable before a command'],
  ['docker save $(docker compose config --images)', 'a variable, or the output of a command'],
  ['npm ci && npm test', 'commands in one line'],
  ["curl 'http://127.0.0.1:9740/tables'", 'single quotes, which are none in cmd'],
  ['helm install monitoring \\\n  --create-namespace', 'a line that continues'],
  ['npm test             # all of it, restarted at every change', 'a comment behind a command'],
  ['alias dc="docker compose"', 'a loop, or a command of the shell'],
  ['docker images | sort -u', 'another program of Unix'],
  ['bin/dcsim-mirror targets > targets.json', 'text that PowerShell writes as UTF-16, or reads'],
  ['mimirtool rules check alerts/generated/*.rules.yaml', 'names that the shell expands'],
  ['curl -s http://127.0.0.1:9740/health', 'a flag of curl that PowerShell has otherwise'],
])('finds what one shell alone understands: %s', (text, what) => {
  expect(broken(text)).toEqual([what])
})
