import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileText } from '../containers/stack-file.ts'
import { Run } from '../commands/run.ts'
import { shellLines } from './shell-blocks.ts'

/** Programs in the documents that are not run here, with the test that runs them or the reason. */
const elsewhere: Readonly<Record<string, string>> = {
  docker: 'test/containers starts the stack, also from the archive of docs/offline.md',
  helm: 'test/deploy',
  kind: 'needs a cluster',
  kubectl: 'needs a cluster',
  jb: 'test/deploy installs the mixin by path',
  jsonnet: 'test/deploy',
  prometheus: 'test/metrics, test/deploy',
  promtool: 'test/metrics, test/alerts',
  amtool: 'test/alerts',
  vmagent: 'test/deploy',
  vmalert: 'needs a version newer than that of Debian',
  alloy: 'cannot be had by the tests; docs/platforms.md says what was checked',
  mimirtool: 'needs an account',
  'otelcol-contrib': 'test/deploy',
  telegraf: 'test/deploy',
  grafana: 'needs Grafana',
  gcx: 'needs Grafana 12 or newer',
  'victoria-metrics': 'test/metrics',
  thanos: 'test/metrics',
  cp: 'needs Grafana',
  for: 'test/metrics loads what history wrote by promtool',
}

const service = new Run(['--listen', '127.0.0.1:0', '--scale', 'small', '--warmup', '12h'])
let origin = ''
const folder = mkdtempSync(join(tmpdir(), 'documents-'))

beforeAll(async () => {
  origin = await service.origin()
  await service.says(/Ready after/)
})
afterAll(async () => {
  await service.end('SIGTERM')
  rmSync(folder, { recursive: true })
})

const settings = (command: string): string => command.replaceAll(/^(?:[A-Z_]+=\S+ )+/g, '')
const programOf = (command: string): string => settings(command).split(' ')[0]
const of = (program: string): string[] => [
  ...new Set(shellLines.map(({ command }) => command).filter((command) => programOf(command) === program)),
]

test('every command is run here, or it is known where', () => {
  const here = new Set(['curl', 'npm', 'npx', 'bin/dcsim-mirror', 'source', 'echo'])
  const unknown = shellLines.filter(({ command }) => {
    const program = programOf(command)
    return !here.has(program) && !/^[A-Z_]+=/.test(program) && elsewhere[program] === undefined
  })
  expect(unknown).toEqual([])
  expect(shellLines.length).toBeGreaterThan(50)
})

const requests = of('curl').filter((command) => command.includes('http://127.0.0.1:9740'))

test.each(requests)('%s', (command) => {
  const local = command.replaceAll('http://127.0.0.1:9740', origin).replace(/^curl/, 'curl --fail')
  const { status, stdout, stderr } = spawnSync('sh', ['-c', local], { cwd: folder, encoding: 'utf8' })
  expect([status, stderr.replaceAll(/^(?:\s|%|[-\d:]|[A-Z][a-z]+).*$/gm, '').trim()]).toEqual([0, ''])
  expect(stdout === '').toBe(command.includes('>'))
})

test.each(requests.filter((command) => /[?&](?:zone|rack|customer)=/.test(command)))(
  '%s is about something that there is',
  async (command) => {
    const [, path] = /127\.0\.0\.1:9740([^']+)/.exec(command)!
    expect(await (await fetch(origin + path)).json()).not.toEqual([])
  },
)

const scripts = JSON.parse(fileText('package.json')).scripts as Record<string, string>

test.each(of('npm'))('%s is a script of the package', (command) => {
  const [, verb, name] = command.split(' ')
  const script = verb === 'run' ? name : verb
  expect([...Object.keys(scripts), 'ci']).toContain(script)
})

describe('commands of the mirror', () => {
  const environment = {
    DCSIM_LISTEN: '127.0.0.1:0',
    DCSIM_SCALE: 'small',
    DCSIM_WARMUP: '2h',
  }
  const words = (command: string): string[] =>
    command
      .replace(/^bin\/dcsim-mirror /, '')
      .replace(/ >.*$/, '')
      .split(' ')
  const start = (command: string, place = folder): Run => {
    const given = words(command).map((word) =>
      /^(?:past\/|evening\.rec)$/.test(word) ? join(place, word) : word.replace(/^http:\/\/127.*$/, origin),
    )
    return new Run(given, environment)
  }
  const documented = of('bin/dcsim-mirror')

  test('a session is recorded, inspected and replayed', async () => {
    const [record, inspect, replay] = documented.filter((command) => command.includes('evening.rec'))
    const recording = start(record)
    await expect.poll(() => readdirSync(folder), { timeout: 30_000 }).toContain('evening.rec')
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect((await recording.end('SIGINT')).code).toBe(0)
    const inspected = start(inspect)
    const [code] = await inspected.ended
    expect([code, inspected.err]).toEqual([0, ''])
    expect(inspected.out).toMatch(/ sound\n/)
    const replayed = start(replay)
    await replayed.says(/Ready after/)
    expect((await replayed.end('SIGTERM')).code).toBe(0)
  })

  test('a line of actions that the shell appends is the one that act appends', async () => {
    const act = documented.find((command) => command.includes(' act "SwitchFailure'))!
    const ran = new Run(['act', '--actions', join(folder, 'by-act.jsonl'), act.split('"')[1]], environment)
    expect((await ran.ended)[0]).toBe(0)
    // The folder is in the checkout: one created by Docker belongs to root, and no other user may write to
    // it.
    expect(existsSync(new URL('../../sessions/.gitignore', import.meta.url))).toBe(true)
    mkdirSync(join(folder, 'sessions'))
    for (const command of of('echo')) spawnSync('sh', ['-c', command], { cwd: folder })
    const [byAct, byShell] = ['by-act.jsonl', 'sessions/actions.jsonl'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    )
    expect(byShell).toBe(byAct)
  })

  const histories = documented.filter((command) => command.includes(' history '))
  test.each(histories)('%s', async (command) => {
    const written = start(command, mkdtempSync(join(folder, 'history-')))
    const [code] = await written.ended
    expect(written.err).toMatch(/[1-9][\d,]* samples/)
    expect(code).toBe(0)
  })

  const served = documented.filter((command) => /--source http|--scenario core/.test(command))
  test.each(served)('%s', async (command) => {
    const serving = start(command)
    await serving.says(/Ready after/)
    expect((await serving.end('SIGTERM')).code).toBe(0)
  })

  const targets = documented.filter((command) => command.includes(' targets '))
  test.each(targets)('%s', async (command) => {
    const given = command.replace('"$DCSIM_SESSIONS"', 'a=simulation')
    const ran = new Run(words(given), environment)
    const [code] = await ran.ended
    expect([code, ran.err]).toEqual([0, ''])
  })
})
