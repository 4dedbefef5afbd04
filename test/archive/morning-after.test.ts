/** The morning after: a mirror that ran, was stopped and was killed still tells every incident that it ever told. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-morning-'))
const running: MirrorProcess[] = []
afterAll(async () => {
  await Promise.all(running.map((mirror) => mirror.stop()))
  rmSync(folder, { recursive: true })
})

type Rows = readonly Readonly<Record<string, unknown>>[]

async function started(options: readonly string[]): Promise<MirrorProcess> {
  const mirror = await MirrorProcess.start(options)
  running.push(mirror)
  return mirror
}

const rowsOf = async (mirror: MirrorProcess, path: string): Promise<Rows> =>
  JSON.parse(await mirror.text(`/tables/${path}`)) as Rows

/** Rows without cells that are relative to the present, which is another one at the next request. */
const withoutAges = (rows: Rows): Rows =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).filter(
        ([name, cell]) => !name.endsWith('_ago') && !/ ago\b|^now-/.test(String(cell)),
      ),
    ),
  )

const tables = ['incidents', 'incident', 'causes', 'evidence', 'timeline', 'work', 'work-steps']

/** The rows of an incident in all tables about one. */
async function changesOf(mirror: MirrorProcess, id: string): Promise<Readonly<Record<string, Rows>>> {
  const read = async (table: string) =>
    [table, withoutAges(await rowsOf(mirror, `${table}?incident=${id}`))] as const
  return Object.fromEntries(await Promise.all(tables.map(read)))
}

/** Reads the incidents of the frame, as messages would name them, until there are so many. */
async function told(mirror: MirrorProcess, ids: Set<string>, count: number): Promise<void> {
  while (ids.size < count) {
    for (const { incident_id } of await rowsOf(mirror, 'incidents')) ids.add(String(incident_id))
    await pause(500)
  }
}

const world = [
  '--actions=none',
  '--scale=small',
  '--warmup=2d',
  '--speed=14400',
  `--session-file=${join(folder, 'world.dcsim')}`,
]

test('every incident that was told reads whole after two restarts, and in a mirror of the mirror', {
  timeout: 240_000,
}, async () => {
  const first = await started(world)
  const ids = new Set<string>()
  await told(first, ids, 6)
  await first.stop()
  const second = await started(world)
  await told(second, ids, 12)
  process.kill(second.pid, 'SIGKILL')
  const third = await started(world)
  const copy = await started([`--source=${third.origin}`])
  await told(third, ids, 16)

  for (const id of ids) {
    const facts = await rowsOf(third, `incident?incident=${id}`)
    expect(facts.map(({ fact }) => fact)).toEqual(
      expect.arrayContaining(['Incident', 'Symptom', 'Cause', 'Time']),
    )
    expect(await rowsOf(third, `timeline?incident=${id}`)).not.toEqual([])
  }
  expect(await rowsOf(third, 'worlds')).toMatchObject([{ world: 1, current: true, gaps: 0 }])

  // The warm-up is there from its first day, and no number is missing or there twice.
  const numbers = (await rowsOf(third, 'incidents?from=0&limit=100000&sort=opened_at')).map(
    ({ incident_id }) => Number(incident_id),
  )
  expect(numbers.toSorted((one, other) => one - other)).toEqual(numbers.map((_, index) => index + 1))
  const days = (await rowsOf(third, 'days')).map(({ day }) => Number(day)).toReversed()
  expect(days).toEqual(days.map((_, index) => index))

  // The incident has left the snapshot of the copy a simulated day after it was resolved: its archive tells the same.
  const [last] = await rowsOf(copy, 'incidents?state=resolved&limit=1')
  const id = String(last['incident_id'])
  while ((await rowsOf(copy, 'incidents')).some((row) => row['incident_id'] === id)) await pause(500)
  const copied = await changesOf(copy, id)
  expect(copied).toEqual(await changesOf(third, id))
  expect(copied).toMatchObject({ incidents: [{ incident_id: id, state: 'resolved' }] })
  for (const table of ['incident', 'causes', 'timeline']) expect(copied[table]).not.toEqual([])
})

test('an incident of the session that the mirror had earlier is read by its name', async () => {
  const archive = `--session-file=${join(folder, 'sessions.dcsim')}`
  const earlier = await started(['--actions=none', '--scale=small', '--warmup=2d', archive])
  await expect.poll(() => rowsOf(earlier, 'incidents?from=0'), { timeout: 60_000 }).not.toEqual([])
  const [{ incident_id: id }] = await rowsOf(earlier, 'incidents?from=0')
  const story = await rowsOf(earlier, `causes?incident=${String(id)}`)
  await earlier.stop()
  const later = await started(['--actions=none', '--scale=small', '--seed=7', '--warmup=1h', archive])
  const statusOf = async (path: string) => (await fetch(`${later.origin}/tables/${path}`)).status

  expect(story).not.toEqual([])
  expect(await rowsOf(later, `causes?incident=${String(id)}&session=small-13`)).toEqual(story)
  expect(await rowsOf(later, `causes?incident=${String(id)}&session=small-7`)).not.toEqual(story)
  // Tables without a past are of the current session alone.
  expect(await statusOf('hosts?session=small-13')).toBe(404)
  expect(await statusOf('causes?session=small-12')).toBe(404)
  expect(await statusOf('causes?session=small-13&session=small-7')).toBe(400)
})
