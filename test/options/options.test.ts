import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { recordCommand } from '../../src/commands/record.ts'
import { serveCommand } from '../../src/commands/serve.ts'
import { validators } from '../../src/command-line/select-source.ts'
import { environmentVariable } from '../../src/options/command.ts'
import type { Values } from '../../src/options/command.ts'
import { OptionError, parseCommand } from '../../src/options/parse-options.ts'
import type { ParsedCommand } from '../../src/options/parse-options.ts'
import { reviewedTexts } from '../fixtures/reviewed-texts.ts'
import { isPosix } from '../fixtures/tools.ts'
import { optionsPage } from './options-table.ts'

type Options = Values<typeof serveCommand.settings>
const settingNames = Object.keys(serveCommand.settings)

const parse = (words: string, environment: Record<string, string> = {}) =>
  parseCommand(serveCommand, words === '' ? [] : words.split(' '), environment)
const read = (words: string, environment: Record<string, string> = {}) =>
  (parse(words, environment) as ParsedCommand<typeof serveCommand.settings>).options

test('without flags and variables', () => {
  expect(read('')).toEqual({
    session: '',
    sessions: '',
    listen: { host: '127.0.0.1', port: 9740 },
    'allow-host': [],
    'public-url': null,
    'grafana-url': null,
    'prometheus-url': null,
    'alertmanager-url': null,
    image: '',
    source: 'simulation',
    seed: 13n,
    scale: 'medium',
    blind: false,
    speed: null,
    warmup: null,
    scenario: '',
    cache: '',
    actions: '',
    truth: false,
    'session-file': '',
    'archive-mb': 256,
    from: 0n,
    until: null,
    loop: false,
    'cadence-ms': 1000,
    'idle-ms': 60_000,
    collectors: '',
    'log-level': 'info',
  })
})

test.each<[string, Partial<Options>]>([
  ['--listen [::1]:0', { listen: { host: '::1', port: 0 } }],
  ['--listen mirror.lan:80', { listen: { host: 'mirror.lan', port: 80 } }],
  ['--grafana-url http://127.0.0.1:3000/', { 'grafana-url': 'http://127.0.0.1:3000' }],
  ['--public-url https://lan.example/mirror', { 'public-url': 'https://lan.example/mirror' }],
  ['--listen=0.0.0.0:65535', { listen: { host: '0.0.0.0', port: 65_535 } }],
  ['--allow-host a.lan --allow-host b.lan,c.lan', { 'allow-host': ['a.lan', 'b.lan', 'c.lan'] }],
  ['--allow-host 10.0.0.5,fd00::5', { 'allow-host': ['10.0.0.5', '[fd00::5]'] }],
  ['--seed 9223372036854775807', { seed: 9223372036854775807n }],
  ['--seed 9007199254740993', { seed: 9007199254740993n }],
  ['--scale small', { scale: 'small' }],
  ['--scale 50000', { scale: 50_000 }],
  ['--session-file /state/world.dcsim', { 'session-file': '/state/world.dcsim' }],
  ['--warmup 4d12h', { warmup: 388_800_000_000_000n }],
  ['--warmup 1h30m', { warmup: 5_400_000_000_000n }],
  ['--warmup 90s', { warmup: 90_000_000_000n }],
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
    '--source x.rec --from 2h --until 90m --loop yes',
    { from: 7_200_000_000_000n, until: 5_400_000_000_000n, loop: true },
  ],
])('%s', (words, expected) => {
  expect(read(words)).toMatchObject(expected)
})

describe('variables', () => {
  test('set options, and flags override them', () => {
    const environment = { DCSIM_SEED: '7', DCSIM_CADENCE_MS: '250', DCSIM_ALLOW_HOST: 'a.lan,b.lan' }
    expect(read('', environment)).toMatchObject({
      seed: 7n,
      'cadence-ms': 250,
      'allow-host': ['a.lan', 'b.lan'],
    })
    expect(read('--seed 8', environment)).toMatchObject({ seed: 8n, 'cadence-ms': 250 })
  })
  test('that are empty count as unset', () => {
    expect(read('', { DCSIM_SEED: '' })).toMatchObject({ seed: 13n })
  })
  test('are named after their flags', () => {
    expect(settingNames.map(environmentVariable)).toContain('DCSIM_LOG_LEVEL')
  })
})

test.each([
  ['--help', 'help'],
  ['-h', 'help'],
  ['-v', 'version'],
  ['-V', 'version'],
  ['--help --all', 'all'],
  ['--all --help', 'all'],
  ['--seed 3 --version', 'version'],
  ['--version --seed 3', 'version'],
  ['--list-scenarios', 'list-scenarios'],
])('%s asks for %s', (words, infoFlag) => {
  expect(parse(words)).toBe(infoFlag)
})

const refused = reviewedTexts(new URL('./refused/', import.meta.url)).blocks('flags')

test.each([...refused])('%s is refused', (words, lines) => {
  expect(() => read(words)).toThrow(new OptionError(lines.join('\n')))
})

test('each command has its own options', () => {
  expect(() => parseCommand(recordCommand, ['--listen', '127.0.0.1:0'], {})).toThrow(
    new OptionError('unknown option "--listen"; run with --help for a list'),
  )
  expect(() => parseCommand(recordCommand, ['--ot', 'x.rec'], {})).toThrow(
    new OptionError('unknown option "--ot"; did you mean --out?'),
  )
})

test.each([
  ['nope', '--scenario: unknown scenario "nope": no such file, and --list-scenarios does not list it'],
  ['ddos-fryday', '--scenario: unknown scenario "ddos-fryday"; did you mean "ddos-friday"?'],
  ['/', '--scenario: cannot read "/": is a directory; expected a JSON file or the name of a scenario'],
])('the scenario %s is refused in one line', (scenario, line) => {
  expect(() => parseCommand(serveCommand, ['--scenario', scenario], {}, validators)).toThrow(
    new OptionError(line),
  )
})

test.runIf(isPosix)('a named pipe, a device and a file that is too large are refused as scenarios', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dcsim-scenario-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const large = join(folder, 'large.json')
  writeFileSync(large, ' '.repeat(2 ** 22 + 1))
  const refusal = (path: string) => () => parseCommand(serveCommand, ['--scenario', path], {}, validators)
  expect(refusal(pipe)).toThrow(/^--scenario: cannot read ".*": is a named pipe; expected .*$/)
  expect(refusal('/dev/zero')).toThrow(/^--scenario: cannot read ".*": is a device; expected .*$/)
  expect(refusal(large)).toThrow(/^--scenario: cannot read ".*": is larger than 4 MiB; expected .*$/)
})

test.each([',,', 'hosts,', '+ports,,+subnets', ' , '])('the collectors %j are refused', (list) => {
  expect(() => parseCommand(serveCommand, ['--collectors', list], {}, validators)).toThrow(
    new OptionError(
      `--collectors: got ${JSON.stringify(list)}, expected names of collectors, separated by single commas`,
    ),
  )
})

test('a flag without effect is refused with the variable that makes it so', () => {
  expect(() => read('--seed 7', { DCSIM_SOURCE: 'x.rec' })).toThrow(
    new OptionError('--seed: applies only to the built-in world, but DCSIM_SOURCE is "x.rec"'),
  )
})

test('variables may be set for any source', () => {
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

test('an invalid variable is named', () => {
  expect(() => read('', { DCSIM_SPEED: 'fast' })).toThrow(
    new OptionError('DCSIM_SPEED: got "fast", expected a number from 0 (paused) to 100000'),
  )
})

test('an error of a validator is reported with the flag or variable', () => {
  const validate = { collectors: (text: string) => (text === 'bad' ? 'there is no such collector' : null) }
  const line = (where: string) => new OptionError(`${where}: there is no such collector`)
  expect(() => parseCommand(serveCommand, ['--collectors', 'bad'], {}, validate)).toThrow(
    line('--collectors'),
  )
  expect(() => parseCommand(serveCommand, [], { DCSIM_COLLECTORS: 'bad' }, validate)).toThrow(
    line('DCSIM_COLLECTORS'),
  )
  expect(parseCommand(serveCommand, [], {}, validate)).toMatchObject({ options: { collectors: '' } })
})

test('a long value is cut and control characters are escaped', () => {
  expect(() => parseCommand(serveCommand, ['--seed', `\n${'x'.repeat(500)}`], {})).toThrow(
    /^--seed: got "\\nx{63}"…, expected an integer/,
  )
})

test('the page of options follows from the declarations (`npm run node test/options/options-table.ts` writes it)', () => {
  const { actual, expected } = optionsPage()
  expect(actual).toBe(expected)
  expect(actual).toContain('| `--idle-ms MS` | `DCSIM_IDLE_MS` | `60000` |')
})
