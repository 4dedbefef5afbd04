import { expect, test } from 'vitest'
import { ArchiveFeed } from '../../src/store/archive/archive-feed.ts'
import type { ToArchive } from '../../src/store/archive/protocol.ts'
import type { Changes } from '../../src/encoding/frames/changes.ts'

const figures = {
  rows: { event: 0, incident: 0, order: 0, day: 0 },
  bytes: 0,
  oldestSeconds: null,
  errors: 0,
}
const changesOf = (bytes: number): Changes => ({
  worldId: 'w',
  figures: { seed: '1', scale: 'small', scenario: '', speed: 1 },
  simTimeNs: 0n,
  wallMs: 0,
  newestEvictedNs: -1n,
  events: { buffer: new ArrayBuffer(bytes) } as Changes['events'],
  collections: {},
})

test.each([
  ['1,000 batches', 1_000, 8],
  ['128 MiB', 2, 64 * 2 ** 20],
])('%s wait for an archive; more are dropped and counted until one is stored', (_, count, bytes) => {
  const posted: ToArchive[] = []
  const feed = new ArchiveFeed({ frame: () => null, note: () => {}, post: (message) => posted.push(message) })
  for (let added = 0; added < count + 2; added++) feed.add(changesOf(bytes))
  expect(posted).toHaveLength(count)
  feed.receive({ kind: 'stored', figures })
  expect(feed.figures).toEqual({ ...figures, errors: 2 })
  feed.add(changesOf(bytes))
  feed.add(changesOf(bytes))
  expect(posted).toHaveLength(count + 1)
  expect(feed.figures!.errors).toBe(3)
})
