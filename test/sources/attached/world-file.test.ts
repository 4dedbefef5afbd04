/** A world in a file, which another program rewrites in every way that there is. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { processClock as clock } from '../../../src/process/clock.ts'
import { AttachedSource } from '../../../src/sources/attached/source.ts'
import { SourceError } from '../../../src/sources/source.ts'
import { run } from '../../commands/run.ts'
import { isPosix } from '../../fixtures/tools.ts'
import { until } from '../../metrics/real-prometheus.ts'
import { attach, healthOf, textOf, waitForHealth } from './attached-mirror.ts'
import type { Attached } from './attached-mirror.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-world-file-'))
const path = join(folder, 'world.json')
let attached: Attached
let written = 0

function textOfWorld(more = ''): string {
  written++
  const hosts = `{"id":1,"display_name":"one"},{"id":9007199254740993,"display_name":"state ${written}"}`
  return `{"publish_seq":${written},"sim_time_ns":${written}000000000,"hosts":[${hosts}]${more}}`
}

function replaceWorld(text = textOfWorld()): void {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

const clear = (): void => rmSync(path, { recursive: true, force: true })
const isShown = (): Promise<unknown> =>
  waitForHealth(attached.origin, ({ status, publish_seq: seq }, text) => {
    const seconds = Number(/"sim_time_ns":(\d+)/.exec(text)?.[1] ?? 0) / 1_000_000_000
    return status === 'ok' && seq > 0 && seconds === written
  })

const shows = async (table: string, name: string): Promise<boolean> =>
  (await textOf(attached.origin, `/tables/${table}.csv`)).includes(name)

beforeAll(async () => {
  attached = await attach(pathToFileURL(path).href)
})
afterAll(async () => {
  await attached.mirror.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  clear()
})

test('is waited for, and shown with every digit once it is there', async () => {
  const reason = `The file ${path} cannot be read: no such file or directory. To see what it lacks: dcsim-mirror check ${path}`
  await waitForHealth(attached.origin, (health) => health.reason === reason)
  replaceWorld()
  await isShown()
  const { items, total } = JSON.parse(
    (await textOf(attached.origin, '/api/v1/hosts')).replaceAll(/"id":(\d+)/g, '"id":"$1"'),
  ) as { items: object[]; total: number }
  expect(total).toBe(2)
  expect(items).toEqual([
    { id: '1', display_name: 'one' },
    { id: '9007199254740993', display_name: `state ${written}` },
  ])
})

const large = 64 * 2 ** 20

type Spoiled = [what: string, spoil: () => void, why: string]
const pipe: Spoiled = [
  'a named pipe',
  () => execFileSync('mkfifo', [path]),
  'cannot be read: is a named pipe',
]

test.each<Spoiled>([
  ['missing', () => {}, 'cannot be read: no such file or directory'],
  ['half written', () => writeFileSync(path, textOfWorld().slice(0, -30)), 'is not a JSON object'],
  ['empty', () => writeFileSync(path, ''), 'is not a JSON object'],
  ['a list', () => writeFileSync(path, '[]'), 'is not a JSON object'],
  ['not text', () => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d])), 'is not valid UTF-8'],
  ['a folder', () => mkdirSync(path), 'cannot be read: is a directory'],
  ...(isPosix ? [pipe] : []),
  [
    'huge',
    () => {
      writeFileSync(path, '{')
      truncateSync(path, large + 1)
    },
    'is larger than 64 MiB',
  ],
])(
  'a file that is %s leaves the last state, says why, and is shown when it is whole',
  async (_, spoil, why) => {
    replaceWorld()
    await isShown()
    const before = await textOf(attached.origin, '/tables/hosts.csv')
    clear()
    spoil()
    const reason = `The file ${path} ${why}.`
    await waitForHealth(attached.origin, (health) => health.status === 'stale' && health.reason === reason)
    expect(await textOf(attached.origin, '/tables/hosts.csv')).toBe(before)
    clear()
    replaceWorld()
    await isShown()
    expect(await textOf(attached.origin, '/tables/hosts.csv')).toContain(`state ${written}`)
  },
)

test('is read again when it grows, in place and by another name', async () => {
  replaceWorld()
  await isShown()
  // A list that was not there before is looked for with every fifth publish.
  await until('the customer', async () => {
    writeFileSync(path, textOfWorld(',"customers":[{"id":7,"name":"Seven"}]'))
    await isShown()
    return shows('customers', 'Seven')
  })
  replaceWorld()
  await isShown()
  expect(JSON.parse(await textOf(attached.origin, '/tables/hosts'))).toHaveLength(2)
})

test('a list that is no list costs nothing else', async () => {
  replaceWorld(textOfWorld(',"customers":"none"'))
  await isShown()
  expect(await textOf(attached.origin, '/tables/hosts.csv')).toContain(`state ${written}`)
})

test('without number and time each writing is a publish', async () => {
  replaceWorld('{"hosts":[{"id":1,"display_name":"Ada"}]}')
  await until('Ada', () => shows('hosts', 'Ada'))
  const { publish_seq: seq } = await healthOf(attached.origin)
  replaceWorld('{"hosts":[{"id":1,"display_name":"Bob"}]}')
  await until('Bob', () => shows('hosts', 'Bob'))
  expect((await healthOf(attached.origin)).publish_seq).toBeGreaterThan(seq)
})

test('its diagnostics are an object, and its events a list', async () => {
  replaceWorld(
    textOfWorld(
      ',"diagnostics":{"customers":{"churned_total":7}},"events":[{"at_ns":5,"msg_key":"It began."}]',
    ),
  )
  await until('the diagnostics', async () => {
    replaceWorld(
      textOfWorld(
        ',"diagnostics":{"customers":{"churned_total":7}},"events":[{"at_ns":5,"msg_key":"It began."}]',
      ),
    )
    await isShown()
    return (await textOf(attached.origin, '/api/v1/diagnostics')).includes('"churned_total":7')
  })
  expect(await textOf(attached.origin, '/api/v1/events')).toContain('It began.')
})

test('a list that cannot be read any more counts no changed records', async () => {
  const [origin, exposition] = [pathToFileURL(path), createExposition({ collectors: [] })]
  const source = new AttachedSource({ origin, exposition, clock, cadenceMs: 1 })
  const changed = async (spoil = (text: string): string => text): Promise<number> => {
    for (;;) {
      replaceWorld(spoil(textOfWorld()))
      try {
        const content = await source.capture()
        if (content !== null) return content.encoded.recordsChanged
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
      }
    }
  }
  expect(await changed()).toBe(2)
  expect(await changed((text) => text.replace('"one"', 'nope'))).toBe(0)
  source.close()
})

test('check reads a file, too, with lists that are longer than a page', async () => {
  const more = Array.from({ length: 1_500 }, (_, index) => `{"id":${index + 10},"display_name":"more"}`)
  replaceWorld(textOfWorld().replace('"hosts":[', `"hosts":[${more.join(',')},`))
  const check = run(['check', path])
  await check.ended
  expect([check.out, check.err]).toEqual([expect.stringMatching(/\/api\/v1\/hosts: 1,?502 records/), ''])
})
