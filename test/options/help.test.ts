import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerInfoFlag } from '../../src/command-line/command-line.ts'
import { reportCommand } from '../../src/practice/commands/report.ts'
import { serveCommand } from '../../src/commands/serve.ts'
import { commandsByName } from './declared-commands.ts'
import { environmentVariable } from '../../src/options/command.ts'
import type { Command } from '../../src/options/command.ts'
import { helpText } from '../../src/options/help.ts'

test('--help describes every flag, its variable and its default', () => {
  for (const name of Object.keys(serveCommand.settings)) {
    expect(helpText(serveCommand, true)).toContain(`--${name} `)
    expect(helpText(serveCommand, true)).toContain(environmentVariable(name))
  }
  expect(helpText(serveCommand, true)).toContain('(default: 127.0.0.1:9740)')
  expect(helpText(serveCommand, true)).toContain('(default: 7d)')
})

const allCommands = Object.values(commandsByName)

/** Without the last line, which has the path of the documentation. */
const linesOf = (command: Command, isAll: boolean): string[] =>
  helpText(command, isAll).split('\n').slice(0, -1)

test.each(allCommands)('$usage: --help and --help --all fit 100 columns', (command) => {
  const lines = [...linesOf(command, false), ...linesOf(command, true)]
  expect(lines.filter((line) => line.length > 100)).toEqual([])
})

test('--help has one line for each of the flags that are used most, three examples, and where the rest is', () => {
  const help = answerInfoFlag(serveCommand, 'help').split('\n')
  expect(help).toHaveLength(31)
  expect(help.map((line) => /^  (?:-., )?(--[a-z-]+)/.exec(line)?.[1]).filter(Boolean)).toEqual(
    '--listen --source --seed --scale --speed --scenario --list-scenarios'.split(' '),
  )
  expect(help).toContain(
    '  --seed N            Seed of the world. Equal seeds give equal worlds. (default: 13)',
  )
  expect(help.slice(-4)).toEqual([
    '  bin/dcsim-mirror --scenario core-switch-at-peak',
    '  bin/dcsim-mirror act "SwitchFailure core count 2 zone 1 for 1h"',
    '  bin/dcsim-mirror record --out evening.dcsim',
    expect.stringMatching(/^More: help COMMAND; --help --all; --version; \S.*[/\\]docs[/\\]README\.md$/),
  ])
})

test('a command with few settings shows all of them in --help, their variables with --all only', () => {
  const names = Object.keys(reportCommand.settings)
  for (const name of names) expect(helpText(reportCommand)).toContain(`  --${name} `)
  expect(helpText(reportCommand)).not.toContain('DCSIM_')
  const variables = names.map((name) =>
    name === 'prometheus' ? 'DCSIM_PROMETHEUS_URL' : environmentVariable(name),
  )
  for (const variable of variables) expect(helpText(reportCommand, true)).toContain(`[${variable}]`)
})

test.each(Object.keys(commandsByName))('docs/configuration.md lists the command %s', (name) => {
  const page = readFileSync('docs/configuration.md', 'utf8')
  const names = [...page.matchAll(/^\| ([^|]+) \|/gm)].flatMap(
    ([, cell]) => cell.match(/[a-z-]+(?=`)/g) ?? [],
  )
  expect(names.includes(name)).toBe(true)
})

test('long lines of --help are wrapped with an indent', () => {
  expect(helpText(serveCommand, true)).toContain(
    [
      '  --scale SCALE           Size of the world: small (24 hosts), medium (120), large (1,000), or a',
      '                          number of hosts up to 50,000. (default: medium)',
      '                          [DCSIM_SCALE]',
    ].join('\n'),
  )
})
