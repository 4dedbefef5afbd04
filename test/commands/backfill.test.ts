import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { backfillCommand, leftOutText } from '../../src/commands/backfill.ts'
import { defaultCollectors } from '../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { OptionError, parseCommand } from '../../src/options/parse-options.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import type { Simulation } from '../../src/world/records/simulation.ts'
import { parseChunks } from '../metrics/parsed-exposition.ts'
import { hasPrometheus, prometheusImage, RealPrometheus, until } from '../metrics/real-prometheus.ts'
import { hasTool } from '../fixtures/tools.ts'
import type { PrometheusKind } from '../metrics/real-prometheus.ts'
import { asScraped, asWritten } from '../metrics/sample-names.ts'

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const seed = 5n
const world = ['--scale', 'small', '--seed', String(seed), '--warmup', '1d', '--speed', '60']

function writeHistory(words: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [fileOf('src/main.ts'), 'backfill', ...words], { encoding: 'utf8' })
}

const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function writtenHistory(words: readonly string[]): { text: string; stderr: string } {
  const path = join(newFolder(), 'past.om')
  const { stderr } = writeHistory([...words, '--out', path])
  return { text: readFileSync(path, 'utf8'), stderr }
}

const lookedAt = [1 / 3, 11 + 2 / 3, 12, 24]

/** The samples that Prometheus would store of the world at a simulated hour. */
function worldAt(simulation: Simulation, hours: number): Map<string, number> {
  while (simulation.nowNs < BigInt(Math.round(hours * 3600)) * 1_000_000_000n) simulation.step()
  const chunks = createExposition({ collectors: defaultCollectors }).render(simulation.snapshot())
  const worldChunks = chunks.filter(({ family }) => !family.startsWith('dcsim_mirror_'))
  return new Map(
    [...parseChunks(worldChunks).values()].flatMap(({ samples }) =>
      [...samples].map(([sample, value]) => [asScraped(sample), value] as const),
    ),
  )
}

const rules = fileOf('alerts/generated')
const script = fileOf('deploy/stack/load-backfill.sh')
const trends = `${rules}/trends.rules.yaml`

/** Runs the script of the stack that loads a history: with the installed programs, or in the image of Prometheus. */
function load(kind: PrometheusKind, data: string): string {
  const user = `${process.getuid!()}:${process.getgid!()}`
  const mounts = [`${data}:/prometheus`, `${script}:/load-backfill.sh:ro`, `${rules}:${rules}:ro`]
  const run = ['run', '--rm', '--network', 'host', '--user', user, '--entrypoint', 'sh']
  const inContainer = run.concat(
    mounts.flatMap((mount) => ['--volume', mount]),
    prometheusImage,
    ['/load-backfill.sh', '/prometheus', trends],
  )
  const { stdout, stderr } =
    kind === 'installed'
      ? spawnSync('sh', [script, data, trends], { encoding: 'utf8' })
      : spawnSync('docker', inContainer, { encoding: 'utf8' })
  return stdout + stderr
}

const blocksIn = (data: string): string[] => readdirSync(data).filter((name) => /^[0-9A-Z]{26}$/.test(name))

/** The stack itself loads a history in its image of Prometheus. */
const kind = hasTool('prometheus') ? 'installed' : 'container'

const scraped = new Map<number, Map<string, number>>()
beforeAll(() => {
  const warmUp = 86_400_000_000
  const simulation = createSimulation({ seed, scale: 'small', warmUp, scenario: null, speed: 60 })
  for (const hours of lookedAt) scraped.set(hours, worldAt(simulation, hours))
})

describe.skipIf(!hasPrometheus(kind))(`a real Prometheus, ${kind} (skipped where there is none)`, () => {
  const data = newFolder()
  const untilSeconds = Math.floor(Date.now() / 1000) - 2
  let live: MirrorProcess
  let prometheus: RealPrometheus
  let instance = ''
  let written: ReturnType<typeof writeHistory>
  let loaded = ''

  const storedAt = async (seconds: number, within = '10s'): Promise<Map<string, number>> => {
    const stored = await prometheus.query(
      `last_over_time({job="dcsim",__name__=~"dcsim_.+"}[${within}] @ ${seconds})`,
    )
    return new Map(stored.map((sample) => [asWritten(sample), sample.value]))
  }

  beforeAll(async () => {
    live = await MirrorProcess.start([...world.slice(0, -1), '600'])
    instance = new URL(live.origin).host
    const out = ['--out', `${data}/past/`, '--instance', instance, '--ends-at', String(untilSeconds)]
    written = writeHistory([...world, ...out])
    loaded = load(kind, data)
    const dcsim = { url: live.origin, labels: { session: 'small-5' } }
    prometheus = await RealPrometheus.start(kind, { dcsim }, 1, { data })
  }, 300_000)

  afterAll(async () => {
    await Promise.all([prometheus?.stop(), live?.stop()])
  })

  test('gets the history, with progress', () => {
    expect(written.stderr).toMatch(
      /^Wrote 23m 40s of history by the clock, \d{3},\d{3} samples 20 s apart, in [\d.]+ s\.$/m,
    )
    expect(written.status).toBe(0)
    expect(loaded).toMatch(/^Loading part 1 of (?:1|2) of the history\.\n[^]*The history is loaded\.\n$/)
  })

  test.each([
    ['at the end', 24, 0],
    ['half way', 12, 720],
    ['at the beginning', 1 / 3, 1420],
  ])('has %s of the past what the world said then', async (_, hours, before) => {
    expect(await storedAt(untilSeconds - before)).toStrictEqual(scraped.get(hours))
    expect(scraped.get(hours)!.size).toBeGreaterThan(2_000)
  })

  test('has every value at least once a minute', async () => {
    const expected = scraped.get(lookedAt[1])!
    const stored = await storedAt(untilSeconds - 740, '1m')
    expect(new Map([...stored].filter(([sample]) => expected.has(sample)))).toStrictEqual(expected)
  })

  test('continues the same series when it scrapes the mirror, and no counter falls', async () => {
    await until('some scrapes', async () => {
      const [scrapes] = await prometheus.query('count_over_time(up{job="dcsim"}[1h])')
      return scrapes.value >= 3
    })
    const before = [...(await storedAt(untilSeconds)).keys()]
    const now = await storedAt(Math.floor(Date.now() / 1000))
    // Series of entities that have ended, such as incidents, are not continued.
    expect(before.filter((sample) => now.has(sample)).length / before.length).toBeGreaterThan(0.98)
    const histories = await prometheus.history('{job="dcsim", __name__=~"dcsim_.+"}[1h]')
    const counters = histories.filter(({ metric }) => /_(?:total|bucket|count|sum)$/.test(metric['__name__']))
    const fallen = counters.filter(({ values }) => values.some((value, at) => value < values[at - 1]))
    expect(fallen).toStrictEqual([])
    expect(counters.length).toBeGreaterThan(500)
    const targets = await prometheus.query('count by (job, instance) ({__name__=~"dcsim_.+"})')
    expect(targets.map(({ metric }) => metric)).toStrictEqual([{ job: 'dcsim', instance }])
  })

  test('has nothing to complain of but that recorded series have blocks of their own, which it merges', () => {
    const others = prometheus.complaints.filter((line) => !line.includes('Overlapping blocks found'))
    expect(others).toStrictEqual([])
  })

  test('has what the recording rules make of the past', async () => {
    expect(loaded).not.toContain('Series of recording rules start at the present.')
    const recorded = await prometheus.query(
      `count_over_time(world:dcsim_customer_failed_requests_last_hour:ratio[20m] @ ${untilSeconds})`,
    )
    expect(recorded).toMatchObject([{ metric: { job: 'dcsim', instance } }])
    expect(recorded[0].value).toBeGreaterThanOrEqual(59)
    const [kept] = await prometheus.query(`world:dcsim_customers:sum @ ${untilSeconds}`)
    const [made] = await prometheus.query(`sum(dcsim_customers @ ${untilSeconds})`)
    expect(kept.value).toBe(made.value)
  })
})

describe.skipIf(!hasTool('promtool'))('loading (skipped where there is no promtool)', () => {
  const text = (value: number): string => `# TYPE a gauge\na{job="dcsim"} ${value} 1764000000\n# EOF\n`
  const withPast = (past: string): string => {
    const data = newFolder()
    mkdirSync(join(data, 'past'))
    writeFileSync(join(data, 'past', '1764000000.om'), past)
    return data
  }

  test('happens once, even where Prometheus did not start in between', () => {
    const data = withPast(text(1))
    expect(load('installed', data)).toContain('The history is loaded.')
    const blocks = blocksIn(data)
    expect(blocks).toHaveLength(1)
    mkdirSync(join(data, 'past'))
    writeFileSync(join(data, 'past', '1764000000.om'), text(2))
    expect(load('installed', data)).toBe('Prometheus has data already: no history is loaded.\n')
    expect(blocksIn(data)).toStrictEqual(blocks)
  })

  test('restarts when it was interrupted among the texts', () => {
    const data = withPast(text(1))
    mkdirSync(join(data, 'past', 'made', '1', 'half-made'), { recursive: true })
    expect(load('installed', data)).toContain('The history is loaded.')
    expect(readdirSync(data).toSorted()).toStrictEqual([...blocksIn(data), 'past-span', 'past-world'])
  })

  test('resumes when it was interrupted among the finished blocks', () => {
    const data = newFolder()
    mkdirSync(join(data, '01JDFAKEBLOCKMOVEDBEFORE00'))
    mkdirSync(join(data, 'past-loading', '01JDFAKEBLOCKTHATISLEFT000'), { recursive: true })
    writeFileSync(join(data, 'past-loading', 'span'), '1764000000 1764007200\n')
    expect(load('installed', data)).toBe('The history is loaded.\n')
    expect(readdirSync(data).toSorted()).toStrictEqual(
      '01JDFAKEBLOCKMOVEDBEFORE00 01JDFAKEBLOCKTHATISLEFT000 past-span past-world'.split(' '),
    )
  })

  test('reports errors of promtool, and lets Prometheus begin with the present', () => {
    const data = withPast('nonsense\n')
    expect(load('installed', data)).toContain('The history cannot be loaded. Graphs start at the present.')
    expect(readdirSync(data)).toStrictEqual(['past-world'])
  })
})

describe('the command', () => {
  const little = '--scale small --warmup 10m --ends-at 1764000000 --interval 5s --speed 60'.split(' ')

  test('writes to a file, and reports progress to standard error', () => {
    const { text, stderr } = writtenHistory([...little, '--collectors', 'clock'])
    const times = text.split('\n').filter((line) => line.startsWith('dcsim_sim_time_seconds'))
    expect(times).toStrictEqual([
      'dcsim_sim_time_seconds{job="dcsim",instance="mirror:9740",session="small-13"} 300 1763999995',
      'dcsim_sim_time_seconds{job="dcsim",instance="mirror:9740",session="small-13"} 600 1764000000',
    ])
    expect(text.endsWith('\n# EOF\n')).toBe(true)
    expect(stderr).toMatch(/^Wrote 5s of history by the clock, [\d,]+ samples 5 s apart, in [\d.]+ s\.\n$/)
  })

  test('starts a new file in a directory where the blocks of Prometheus begin', () => {
    const folder = newFolder()
    // 1763992800 is an even hour.
    writeHistory(
      [...little, '--ends-at', '1763992803', '--out', folder, '--collectors', 'clock'].toSpliced(4, 2),
    )
    expect(readdirSync(folder).toSorted()).toStrictEqual(['1763992798.om', '1763992803.om'])
    expect(readFileSync(join(folder, '1763992803.om'), 'utf8')).toContain(' 600 1763992803\n')
  })

  test('refuses a directory that contains a backfill, and leaves it unchanged', () => {
    const folder = newFolder()
    writeFileSync(join(folder, '1763992793.om'), '# EOF\n')
    const { status, stderr } = writeHistory([...little, '--out', folder])
    expect(stderr).toBe(
      `Cannot write the history to ${folder}: it already contains a backfill (1763992793.om), and two would overlap. ` +
        `To replace it, remove it first: rm ${folder}/*.om.\n`,
    )
    expect(status).toBe(1)
    expect(readdirSync(folder)).toStrictEqual(['1763992793.om'])
  })

  test('replaces an earlier file once the new one is complete', () => {
    const path = join(newFolder(), 'past.om')
    writeFileSync(path, 'earlier\n')
    expect(writeHistory([...little, '--out', path, '--collectors', 'clock']).status).toBe(0)
    expect(readFileSync(path, 'utf8')).toMatch(/^# TYPE [^]*\n# EOF\n$/)
    expect(readdirSync(dirname(path))).toStrictEqual(['past.om'])
  })

  test('keeps an earlier file when the new one does not fit on the disk', () => {
    const path = join(newFolder(), 'past.om')
    writeFileSync(path, 'earlier\n')
    const words = ['backfill', ...little, '--out', path].join(' ')
    const command = `ulimit -f 20; exec "${process.execPath}" "${fileOf('src/main.ts')}" ${words}`
    const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' })
    expect(stderr).toBe(`Cannot write the history to ${path}: file too large.\n`)
    expect(status).toBe(1)
    expect(readFileSync(path, 'utf8')).toBe('earlier\n')
    expect(readdirSync(dirname(path))).toStrictEqual(['past.om'])
  })

  test('simulates longer than the warm-up if the span asks for it', () => {
    const { text, stderr } = writtenHistory([...little, '--span', '20m', '--collectors=clock'])
    expect(text.match(/^dcsim_sim_time_seconds\S+ \d+/gm)).toHaveLength(5)
    expect(text).toContain(' 1200 1764000000\n')
    expect(stderr).toContain(
      'The history is longer than the warm-up: start the mirror with the same --warmup.\n',
    )
  })

  test.each([
    ['--speed', '0', 'Nothing was written: at --speed 0 no wall time corresponds to simulated time.'],
    [
      '--source',
      'http://127.0.0.1:9800',
      'Nothing was written: http://127.0.0.1:9800 has a history of its own, which cannot be generated.',
    ],
  ])('generates nothing for %s %s', (flag, value, message) => {
    const folder = join(newFolder(), 'past/')
    expect(writeHistory(['--out', folder, flag, value])).toMatchObject({
      status: 0,
      stdout: '',
      stderr: `${message}\n`,
    })
    expect(existsSync(folder)).toBe(false)
  })

  test.each([
    [[], '--out is required: expected a directory (ending in a slash if it does not exist), or a file'],
    [['--out', 'past/', '--interval', '0s'], '--interval: got "0s", expected a duration of at least 1s'],
    [
      ['--out', 'past/', '--ends-at', '7'],
      '--ends-at: got "7", expected now, seconds since 1970 such as 1764547200, or the address of a mirror such as http://127.0.0.1:9740',
    ],
  ])('refuses %j', (words, complaint) => {
    expect(() => parseCommand(backfillCommand, words, {})).toThrow(new OptionError(complaint))
  })

  test('ends with the present even if the variable of a replay is set', () => {
    const command = parseCommand(backfillCommand, ['--out', 'past/'], { DCSIM_UNTIL: '15m' })
    expect(command).toMatchObject({ options: { 'ends-at': null } })
  })

  test('reports why it cannot write', () => {
    const { status, stderr } = writeHistory([...little, '--out', '/proc/version/past.om'])
    expect(stderr).toBe(
      'Cannot write the history to /proc/version/past.om: a path component is not a directory.\n',
    )
    expect(status).toBe(1)
  })
})

test('history says what it leaves out', () => {
  const hour = 3_600_000_000_000n
  expect(leftOutText(58n * hour, 168n * hour, hour / 4n)).toBe(
    " It is the last 2d 10h of the world's 7d; --span 7d writes all.",
  )
  expect(leftOutText(168n * hour, 168n * hour, hour / 4n)).toBe('')
})
