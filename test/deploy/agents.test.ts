import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { parse } from 'yaml'
import { fileText } from '../containers/stack-file.ts'
import { hasTool } from '../fixtures/tools.ts'
import { parseExposition } from '../metrics/parsed-exposition.ts'
import { until } from '../metrics/real-prometheus.ts'
import { RealStore } from '../metrics/real-store.ts'
import { optionalTool } from './manifests.ts'

const page = fileText('docs/platforms.md')

/** A block of the page, by the file name in its first line. */
function block(file: string): string {
  const found = [...page.matchAll(/^```\w+\n(?:#|\/\/) (\S+)\n([^]*?)^```$/gm)].find(
    ([, name]) => name === file,
  )
  if (found === undefined) throw new Error(`The page has no ${file}.`)
  return found[2]
}

function written(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test.skipIf(!hasTool('promtool')).each(['vmagent.yml', 'receiver.yml'])(
  'promtool takes %s (skipped where there is none)',
  (name) => {
    const rules = join(import.meta.dirname, '../../alerts/generated')
    const file = written(name, block(name).replace('alerts/generated', rules))
    const { status, stdout } = spawnSync('promtool', ['check', 'config', file], { encoding: 'utf8' })
    expect([status, stdout]).toStrictEqual([0, expect.stringContaining('SUCCESS')])
  },
)

test('the override for a common network names a service of the stack', () => {
  const stack = parse(fileText('docker-compose.yml'), { merge: true }) as { services: object }
  const { services, networks } = parse(block('docker-compose.override.yml')) as Record<
    'services' | 'networks',
    Record<string, { networks?: string[] }>
  >
  for (const [name, service] of Object.entries(services)) {
    expect(Object.keys(stack.services)).toContain(name)
    expect(service.networks!.filter((network) => network !== 'default')).toStrictEqual(Object.keys(networks))
  }
})

interface Agent {
  readonly name: string
  readonly program: string | null
  readonly file: string
  /** The address of the store on the page. */
  readonly store: string
  readonly words: (file: string, store: string) => readonly string[]
}

const vmagent = hasTool('vmagent') ? 'vmagent' : null
const agents: readonly Agent[] = [
  {
    name: 'vmagent',
    program: vmagent,
    file: 'vmagent.yml',
    store: '127.0.0.1:8428',
    words: (file, store) => [
      `-promscrape.config=${file}`,
      `-remoteWrite.url=http://${store}/api/v1/write`,
      '-httpListenAddr=127.0.0.1:0',
      `-remoteWrite.tmpDataPath=${file}.queue`,
    ],
  },
  {
    name: 'Telegraf',
    program: optionalTool('telegraf', '--version'),
    file: 'telegraf.conf',
    store: '127.0.0.1:9090',
    words: (file) => ['--config', file],
  },
  {
    name: 'the OpenTelemetry collector',
    program: optionalTool('otelcol-contrib', '--version'),
    file: 'otel-collector.yaml',
    store: '127.0.0.1:9090',
    words: (file) => ['--config', file],
  },
]

type Labels = Readonly<Record<string, string>>

/** A series as one text, with sorted labels. */
const seriesText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join(' ')

/** Labels that a collector adds to all series. */
const added = new Set(['otel_scope_name', 'otel_scope_version', 'otel_scope_schema_url'])

describe.skipIf(!hasTool('victoria-metrics'))(
  'into a store (skipped where there is no VictoriaMetrics)',
  () => {
    let mirror: MirrorProcess

    beforeAll(async () => {
      mirror = await MirrorProcess.start(
        '--scale medium --warmup 12h --speed 0 --cadence-ms 86400000'.split(' '),
      )
    })
    afterAll(() => mirror?.stop())

    /** The series of the world, as the scrape job on the page would store them. */
    async function expectedSeries(): Promise<string[]> {
      const families = parseExposition(await mirror.text('/metrics'))
      const target = { job: 'dcsim', instance: new URL(mirror.origin).host, session: 'medium-13' }
      return [...families]
        .filter(([name]) => name.startsWith('dcsim_') && !name.startsWith('dcsim_mirror_'))
        .flatMap(([, { samples }]) => Array.from(samples.keys()))
        .map((sample) => {
          const [name] = /^[^{]+/.exec(sample)!
          const own = [...sample.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [
            label,
            JSON.parse(`"${value}"`) as string,
          ])
          return seriesText({ __name__: name, ...target, ...Object.fromEntries(own) })
        })
        .toSorted()
    }

    async function storedSeries(store: RealStore): Promise<string[]> {
      const query = new URLSearchParams({ 'match[]': '{__name__=~"dcsim_.+",__name__!~"dcsim_mirror_.+"}' })
      const response = await fetch(`${store.url}/api/v1/series?${query.toString()}`)
      const { data } = (await response.json()) as { data: Labels[] }
      return data
        .map((labels) =>
          seriesText(Object.fromEntries(Object.entries(labels).filter(([name]) => !added.has(name)))),
        )
        .toSorted()
    }

    test('Telegraf buffers several scrapes', async () => {
      const limit = Number(/metric_buffer_limit = (\d+)/.exec(block('telegraf.conf'))?.[1])
      expect(limit).toBeGreaterThan(5 * (await expectedSeries()).length)
    })

    for (const { name, program, file, store: told, words } of agents)
      test.skipIf(program === null)(
        `${name} brings every series by its block (skipped where it is not installed)`,
        async () => {
          const store = await RealStore.start()
          const { host } = new URL(store.url)
          const text = block(file)
            .replaceAll('127.0.0.1:9740', new URL(mirror.origin).host)
            .replaceAll(told, host)
            .replaceAll('15s', '2s')
          const agent: ChildProcess = spawn(program!, words(written(file, text), host), { stdio: 'ignore' })
          try {
            const expected = await expectedSeries()
            expect(expected.length).toBeGreaterThan(9000)
            await until(
              'the store has as many series',
              async () => (await storedSeries(store)).length >= expected.length,
            )
            expect(await storedSeries(store)).toStrictEqual(expected)
          } finally {
            agent.kill()
            if (agent.exitCode === null && agent.signalCode === null) await once(agent, 'exit')
            await store.stop()
          }
        },
      )
  },
)
