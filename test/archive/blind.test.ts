/** A blind evening on the archive of its rehearsal: nothing of the past tells what the evening hides. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { until } from '../metrics/real-prometheus.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-blind-'))
afterAll(() => rmSync(folder, { recursive: true }))

const evening = [
  '--scale=small',
  '--warmup=1h',
  '--speed=1200',
  '--scenario=game-day',
  `--session-file=${join(folder, 'evening.dcsim')}`,
]

type Rows = readonly Readonly<Record<string, unknown>>[]
const rowsOf = async (mirror: MirrorProcess, path: string): Promise<Rows> =>
  JSON.parse(await mirror.text(`/tables/${path}`)) as Rows

const scenarios = async (mirror: MirrorProcess): Promise<unknown[]> =>
  (await rowsOf(mirror, 'worlds')).map(({ scenario }) => scenario)

async function during<T>(
  options: readonly string[],
  look: (mirror: MirrorProcess) => Promise<T>,
): Promise<T> {
  const mirror = await MirrorProcess.start([...evening, ...options])
  try {
    await until('the archive has this world', async () => {
      const rows = await rowsOf(mirror, 'worlds')
      return rows.some((row) => row['current'] === true)
    })
    return await look(mirror)
  } finally {
    await mirror.stop()
  }
}

const withPast = 'incidents incident causes evidence timeline work work-steps events days'.split(' ')

test('a blind session reads its own world alone, and those before are there again once it is over', async () => {
  await during([], async (mirror) => {
    expect(await scenarios(mirror)).toStrictEqual(['game-day'])
    await until('a cause is told and kept', async () => {
      const kept = await mirror.metric('dcsim_mirror_archive_rows', 'incident')
      return kept > 0 && (await rowsOf(mirror, 'causes?world=1')).length > 0
    })
  })

  await during(['--blind'], async (mirror) => {
    expect(await scenarios(mirror)).toStrictEqual([null])
    for (const table of withPast)
      expect([table, await rowsOf(mirror, `${table}?world=1`)]).toStrictEqual([table, []])
    expect((await rowsOf(mirror, 'events?world=2')).length).toBeGreaterThan(0)
    expect((await rowsOf(mirror, 'events?from=0')).length).toBeGreaterThan(0)
    const earlier = await fetch(`${mirror.origin}/tables/causes?session=small-13-game-day`)
    expect([earlier.status, ((await earlier.json()) as { detail: string }).detail]).toStrictEqual([
      404,
      'session: got "small-13-game-day", expected "small-13-blind". To rename a session, start its mirror with --session.',
    ])
  })

  await during([], async (mirror) => {
    expect(await scenarios(mirror)).toStrictEqual(['game-day', null, 'game-day'])
    expect((await rowsOf(mirror, 'causes?world=1')).length).toBeGreaterThan(0)
  })
})
