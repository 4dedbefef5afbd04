import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { history } from '../../src/commands/history.ts'
import { inspect } from '../../src/commands/inspect.ts'
import { record } from '../../src/commands/record.ts'
import { serve } from '../../src/commands/serve.ts'
import { complaints } from '../../src/commands/world-choice.ts'
import { variableOf } from '../../src/options/command.ts'
import type { Values } from '../../src/options/command.ts'
import { helpText, optionsTable } from '../../src/options/help.ts'
import { OptionError, readCommand } from '../../src/options/read.ts'
import type { Told } from '../../src/options/read.ts'

type Options = Values<typeof serve.settings>
const settingNames = Object.keys(serve.settings)

const told = (words: string, environment: Record<string, string> = {}) =>
  readCommand(serve, words === '' ? [] : words.split(' '), environment)
const read = (words: string, environment: Record<string, string> = {}) =>
  (told(words, environment) as Told<typeof serve.settings>).options

test('without flags and variables', () => {
  expect(read('')).toEqual({
    listen: { host: '127.0.0.1', port: 9740 },
    'allow-host': [],
    source: 'simulation',
    seed: 1n,
    scale: 'medium',
    speed: null,
    warmup: null,
    scenario: '',
    from: 0n,
    until: null,
    loop: false,
    damaged: 'refuse',
    'cadence-ms': 1000,
    'idle-ms': 60_000,
    collectors: '',
    'log-level': 'info',
  })
})

test.each<[string, Partial<Options>]>([
  ['--listen [::1]:0', { listen: { host: '::1', port: 0 } }],
  ['--listen mirror.lan:80', { listen: { host: 'mirror.lan', port: 80 } }],
  ['--listen=0.0.0.0:65535', { listen: { host: '0.0.0.0', port: 65_535 } }],
  ['--allow-host a.lan --allow-host b.lan,c.lan', { 'allow-host': ['a.lan', 'b.lan', 'c.lan'] }],
  ['--seed 9223372036854775807', { seed: 9223372036854775807n }],
  ['--seed 9007199254740993', { seed: 9007199254740993n }],
  ['--scale small', { scale: 'small' }],
  ['--scale 50000', { scale: 50_000 }],
  ['--speed 0', { speed: 0 }],
  ['--speed 0.5', { speed: 0.5 }],
  ['--warmup 90s', { warmup: 90_000_000_000n }],
  ['--warmup 15m', { warmup: 900_000_000_000n }],
  ['--warmup 2h', { warmup: 7_200_000_000_000n }],
  ['--warmup 400d', { warmup: 34_560_000_000_000_000n }],
  ['--scenario=a=b.json', { scenario: 'a=b.json' }],
  ['--cadence-ms 50 --idle-ms 1', { 'cadence-ms': 50, 'idle-ms': 1 }],
  ['--collectors -customers,+ports', { collectors: '-customers,+ports' }],
  ['--log-level debug', { 'log-level': 'debug' }],
  ['--source http://127.0.0.1:9741/', { source: 'http://127.0.0.1:9741' }],
  ['--source HTTP://Mirror.lan', { source: 'http://mirror.lan' }],
  ['--source last-night.rec', { source: 'last-night.rec' }],
  [
    '--source x.rec --from 2h --until 90m --loop yes --damaged read',
    { from: 7_200_000_000_000n, until: 5_400_000_000_000n, loop: true, damaged: 'read' },
  ],
])('%s', (words, expected) => {
  expect(read(words)).toMatchObject(expected)
})

describe('variables', () => {
  test('stand for flags, which win', () => {
    const environment = { DCSIM_SEED: '7', DCSIM_CADENCE_MS: '250', DCSIM_ALLOW_HOST: 'a.lan,b.lan' }
    expect(read('', environment)).toMatchObject({
      seed: 7n,
      'cadence-ms': 250,
      'allow-host': ['a.lan', 'b.lan'],
    })
    expect(read('--seed 8', environment)).toMatchObject({ seed: 8n, 'cadence-ms': 250 })
  })
  test('that are empty count for nothing', () => {
    expect(read('', { DCSIM_SEED: '' })).toMatchObject({ seed: 1n })
  })
  test('are named after their flags', () => {
    expect(settingNames.map(variableOf)).toContain('DCSIM_LOG_LEVEL')
  })
})

test.each([
  ['--help', 'help'],
  ['-h', 'help'],
  ['-v', 'version'],
  ['--seed 3 --version', 'version'],
  ['--version --seed 3', 'version'],
  ['--list-scenarios', 'list-scenarios'],
])('%s asks for %s', (words, question) => {
  expect(told(words)).toBe(question)
})

test.each([
  ['--seed -1', '--seed: got "-1", expected a whole number from 0 to 9223372036854775807.'],
  [
    '--seed 9223372036854775808',
    '--seed: got "9223372036854775808", expected a whole number from 0 to 9223372036854775807.',
  ],
  ['--seed=', '--seed: got "", expected a whole number from 0 to 9223372036854775807.'],
  ['--seed 1.5', '--seed: got "1.5", expected a whole number from 0 to 9223372036854775807.'],
  ['--seed', '--seed: got no value, expected N.'],
  ['--seed --scale', '--seed: got no value, expected N.'],
  ['--seed 1 --seed 2', '--seed: given twice, expected once.'],
  [
    '--scale huge',
    '--scale: got "huge", expected small, medium, large or a number of hosts from 1 to 50000.',
  ],
  ['--scale 0', '--scale: got "0", expected small, medium, large or a number of hosts from 1 to 50000.'],
  [
    '--scale 50001',
    '--scale: got "50001", expected small, medium, large or a number of hosts from 1 to 50000.',
  ],
  ['--speed -1', '--speed: got "-1", expected a number from 0 (paused) to 100000.'],
  ['--speed Infinity', '--speed: got "Infinity", expected a number from 0 (paused) to 100000.'],
  ['--warmup 7', '--warmup: got "7", expected a time such as 90s, 15m, 2h or 7d, at most 400d.'],
  ['--warmup 401d', '--warmup: got "401d", expected a time such as 90s, 15m, 2h or 7d, at most 400d.'],
  ['--listen 9740', '--listen: got "9740", expected HOST:PORT, such as 127.0.0.1:9740 or [::1]:9740.'],
  [
    '--listen ::1:9740',
    '--listen: got "::1:9740", expected HOST:PORT, such as 127.0.0.1:9740 or [::1]:9740.',
  ],
  [
    '--listen localhost:65536',
    '--listen: got "localhost:65536", expected HOST:PORT, such as 127.0.0.1:9740 or [::1]:9740.',
  ],
  [
    '--allow-host a.lan:80',
    '--allow-host: got "a.lan:80", expected host names without ports, such as mirror.lan.',
  ],
  ['--cadence-ms 49', '--cadence-ms: got "49", expected a whole number from 50 to 86400000.'],
  [
    '--source http://127.0.0.1:9741/api/v1',
    '--source: got "http://127.0.0.1:9741/api/v1", expected a server without a path or anything else behind its ' +
      'name: http://127.0.0.1:9741.',
  ],
  [
    '--source ftp://mirror.lan',
    '--source: got "ftp://mirror.lan", expected http:// or https:// before the name of a server, not ftp://.',
  ],
  [
    '--source http://',
    '--source: got "http://", expected simulation, a server such as http://127.0.0.1:9741, or the file of a ' +
      'recording.',
  ],
  ['--loop', '--loop: got no value, expected yes/no.'],
  ['--loop perhaps', '--loop: got "perhaps", expected one of yes, no.'],
  ['--from noon', '--from: got "noon", expected a time such as 90s, 15m, 2h or 7d, at most 400d.'],
  ['--log-level loud', '--log-level: got "loud", expected one of quiet, info, debug.'],
  ['--sede 3', 'There is no flag "--sede"; the nearest is --seed.'],
  ['--colectors=a', 'There is no flag "--colectors"; the nearest is --collectors.'],
  ['--sped 3', 'There is no flag "--sped"; the nearest is --speed.'],
  ['--log debug', 'There is no flag "--log"; the nearest is --log-level.'],
  ['--foo', 'There is no flag "--foo"; --help lists those there are.'],
  ['--toString', 'There is no flag "--toString"; --help lists those there are.'],
  ['--version extra', 'Got "extra", expected a flag; --help lists them.'],
  ['--list-scenarios --foo', 'There is no flag "--foo"; --help lists those there are.'],
  ['--help=x', '--help: got "x", expected no value.'],
  ['-x', 'Got "-x", expected a flag; --help lists them.'],
  ['medium', 'Got "medium", expected a flag; --help lists them.'],
])('%s is refused', (words, line) => {
  expect(() => read(words)).toThrow(new OptionError(line))
  expect(line).not.toContain('\n')
})

test('a command that is called by its name says so of flags that it does not have', () => {
  expect(() => readCommand(record, ['--listen', '127.0.0.1:0'], {})).toThrow(
    new OptionError('record has no flag "--listen"; record --help lists those there are.'),
  )
  expect(() => readCommand(record, ['--ot', 'x.rec'], {})).toThrow(
    new OptionError('record has no flag "--ot"; the nearest is --out.'),
  )
})

test.each([
  [
    'nope',
    '--scenario: there is no file "nope", nor a built-in scenario of that name; npm start -- --list-scenarios lists ' +
      'them.',
  ],
  [
    'ddos-fryday',
    '--scenario: there is no file "ddos-fryday", nor a built-in scenario of that name; the nearest is ddos-friday; ' +
      'npm start -- --list-scenarios lists them.',
  ],
  ['/', '--scenario: got "/", which is a folder; expected a JSON file or the name of a scenario.'],
])('the scenario %s is refused in one line', (scenario, line) => {
  expect(() => readCommand(serve, ['--scenario', scenario], {}, complaints)).toThrow(new OptionError(line))
})

const builtIn = 'applies to the built-in world alone'
const recordings = 'applies to recordings alone'
test.each([
  ['--from 5m', `--from: ${recordings}, and --source is "simulation".`],
  ['--until 5m', `--until: ${recordings}, and --source is "simulation".`],
  ['--loop yes', `--loop: ${recordings}, and --source is "simulation".`],
  ['--damaged read', `--damaged: ${recordings}, and --source is "simulation".`],
  ['--loop no --source http://mirror.lan', `--loop: ${recordings}, and --source is "http://mirror.lan".`],
  ['--seed 7 --source http://mirror.lan', `--seed: ${builtIn}, and --source is "http://mirror.lan".`],
  ['--scale large --source x.rec', `--scale: ${builtIn}, and --source is "x.rec".`],
  ['--warmup 1h --source x.rec', `--warmup: ${builtIn}, and --source is "x.rec".`],
  ['--scenario ddos-friday --source x.rec', `--scenario: ${builtIn}, and --source is "x.rec".`],
  [
    '--speed 2 --source http://mirror.lan',
    '--speed: applies to the built-in world and recordings alone, and --source is "http://mirror.lan".',
  ],
])('%s would have no effect, and is refused', (words, line) => {
  expect(() => read(words)).toThrow(new OptionError(line))
})

test('a flag without effect is held against the variable that takes it away', () => {
  expect(() => read('--seed 7', { DCSIM_SOURCE: 'x.rec' })).toThrow(
    new OptionError(`--seed: ${builtIn}, and DCSIM_SOURCE is "x.rec".`),
  )
})

test('variables may be set for whatever world it is', () => {
  const all = {
    DCSIM_SEED: '7',
    DCSIM_SCALE: 'large',
    DCSIM_SPEED: '2',
    DCSIM_WARMUP: '1h',
    DCSIM_SCENARIO: 'ddos-friday',
    DCSIM_FROM: '5m',
    DCSIM_UNTIL: '9m',
    DCSIM_LOOP: 'yes',
    DCSIM_DAMAGED: 'read',
  }
  for (const source of ['simulation', 'http://mirror.lan', 'x.rec']) {
    expect(read(`--source ${source}`, all)).toMatchObject({ source, seed: 7n, loop: true })
  }
})

test('a bad variable is named', () => {
  expect(() => read('', { DCSIM_SPEED: 'fast' })).toThrow(
    new OptionError('DCSIM_SPEED: got "fast", expected a number from 0 (paused) to 100000.'),
  )
})

test('what only a part can tell is told under the name of the flag or variable', () => {
  const complaints = { collectors: (text: string) => (text === 'bad' ? 'there is no such collector' : null) }
  const line = (where: string) => new OptionError(`${where}: there is no such collector.`)
  expect(() => readCommand(serve, ['--collectors', 'bad'], {}, complaints)).toThrow(line('--collectors'))
  expect(() => readCommand(serve, [], { DCSIM_COLLECTORS: 'bad' }, complaints)).toThrow(
    line('DCSIM_COLLECTORS'),
  )
  expect(readCommand(serve, [], {}, complaints)).toMatchObject({ options: { collectors: '' } })
})

test('a long value is cut and control characters are escaped', () => {
  expect(() => readCommand(serve, ['--seed', `\n${'x'.repeat(500)}`], {})).toThrow(
    /^--seed: got "\\nx{79}…", expected a whole/,
  )
})

test('--help tells every flag, its variable and its default', () => {
  for (const name of settingNames) {
    expect(helpText(serve)).toContain(`--${name} `)
    expect(helpText(serve)).toContain(variableOf(name))
  }
  expect(helpText(serve)).toContain('DCSIM_LISTEN. Otherwise 127.0.0.1:9740.')
  expect(helpText(serve)).toContain('DCSIM_WARMUP. Otherwise 7d.')
})

test.each([serve, record, history, inspect])('--help fits 100 columns', (command) => {
  const lines = helpText(command).split('\n')
  expect(lines.filter((line) => line.length > 100)).toEqual([])
})

test('what is too long for a line of --help goes on below its beginning', () => {
  expect(helpText(serve)).toContain(
    [
      '  --scale SCALE          Size of the world: small (24 hosts), medium (120), large (1,000), or a',
      '                         number of hosts up to 50,000.',
      '                         DCSIM_SCALE. Otherwise medium.',
    ].join('\n'),
  )
})

test('the table in the README is the one that follows from the declarations', () => {
  expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(optionsTable(serve))
})
