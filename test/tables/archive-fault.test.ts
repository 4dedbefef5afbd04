import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ArchiveFeed } from '../../src/store/archive/archive-feed.ts'
import type { Changes } from '../../src/encoding/frames/changes.ts'
import { everything } from '../../src/tables/engine/archive-range.ts'
import type { FromTables } from '../../src/tables/thread/protocol.ts'
import { TablesThread } from '../../src/tables/thread/tables-thread.ts'
import { eventAt, FeedSource } from '../archive/archived-world.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { newFile } from '../fixtures/session-file.ts'
import { frameOf } from './framed-worlds.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-archive-fault-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a fault of the archive costs the archive, its file and timer included, and no table', () => {
  const path = newFile(join(folder, 'evening.dcsim'))
  const clock = new FakeClock()
  const posted: FromTables[] = []
  const archive = { path, session: 's', bytesMax: 2 ** 28, isBlind: false }
  const thread = new TablesThread({ archive, clock, post: (one) => void posted.push(one) })
  thread.receive({ kind: 'changes', changes: {} as Changes })
  expect(posted).toEqual([
    { kind: 'stopped' },
    {
      kind: 'note',
      isProblem: true,
      message: expect.stringMatching(/^The archive stopped: .+ until it is restarted\.$/),
    },
  ])
  expect(existsSync(`${path}-wal`)).toBe(false)
  clock.advanceTo(3_600_000)
  posted.length = 0
  thread.receive({ kind: 'show', frame: frameOf(snapshotWith({})) })
  const asked = { format: 'json', filters: new Map(), sort: null, offset: 0, limit: 9 } as const
  const make = (id: number, table: string, range: typeof everything | null): void =>
    thread.receive({
      kind: 'make',
      id,
      request: { ...asked, table, range },
      histories: [],
      untilMs: Infinity,
    })
  make(1, 'hosts', null)
  make(2, 'incidents', { ...everything, fromMs: 0 })
  expect(posted).toMatchObject([
    { kind: 'made', id: 1 },
    { kind: 'failed', id: 2, reason: 'archive', message: 'The archive has stopped.' },
  ])
})

test('changes for an archive that has stopped are not sent, and count', () => {
  const sent: string[] = []
  const feed = new ArchiveFeed({
    frame: () => null,
    note: () => {},
    post: ({ kind }) => void sent.push(kind),
  })
  const source = new FeedSource()
  const figures = {
    rows: { event: 0, incident: 0, order: 0, day: 0 },
    bytes: 0,
    oldestSeconds: null,
    errors: 0,
  }
  feed.add(source.at(1, { events: [eventAt(0)] }))
  feed.receive({ kind: 'stored', figures })
  feed.receive({ kind: 'stopped' })
  feed.add(source.at(2, { events: [eventAt(1)] }))
  expect([sent, feed.figures?.errors]).toEqual([['changes'], 1])
})
