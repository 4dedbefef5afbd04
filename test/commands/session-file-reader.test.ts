import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FileReader } from '../../src/commands/readers/session-file.ts'
import { MirrorError } from '../../src/commands/readers/mirror.ts'
import { EventFollower } from '../../src/commands/events.ts'
import { ArchiveHere, eventAt, incidentOf, FeedSource } from '../archive/archived-world.ts'
import { newFile } from '../fixtures/session-file.ts'
import { isPosix } from '../fixtures/tools.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-past-file-'))
const path = join(folder, 'evening.dcsim')
const source = new FeedSource('w')
let archive: ArchiveHere

beforeAll(() => {
  archive = new ArchiveHere(path)
  const incidents = [incidentOf(1, 5, 50), incidentOf(2, 60, null, { band: 'Critical' })]
  const events = Array.from({ length: 1_500 }, (_, minute) => eventAt(minute))
  archive.tell(source.at(1_600, { events, resolved: [incidents[0]], incidents: [incidents[1]] }))
})
afterAll(() => {
  archive.close()
  if (isPosix) rmSync(folder, { recursive: true })
})

async function printed(...words: string[]): Promise<string> {
  const command = run(words)
  expect(await command.ended).toEqual([0, null])
  return command.out
}

test('chronicle prints the days in a file whose mirror runs', async () => {
  const page = await printed('chronicle', path)
  expect(page).toMatch(/^# Chronicle of test\n\n## Day 0, Monday: 1 Critical, 1 Major\n/)
  const reader = new FileReader(path)
  expect(await reader.rows('days')).toMatchObject([{ day: 1 }, { day: 0, critical: 1, events: 1_440 }])
  expect(await reader.rows('incidents', { sort: 'opened_at' })).toMatchObject([
    { incident_id: '1', band: 'Major' },
    { incident_id: '2', band: 'Critical' },
  ])
})

test('events prints all of a file, and follows it', async () => {
  const lines: { type: string; at_ns: string }[] = []
  const follower = new EventFollower(new FileReader(path), (line) => void lines.push(JSON.parse(line)))
  while (await follower.poll()) {}
  expect([lines.length, lines[0].at_ns, lines.at(-1)!.at_ns]).toEqual([1_500, '0', '89940000000000'])
  archive.tell(source.at(1_700, { events: [eventAt(1_650)] }))
  expect(await follower.poll()).toBe(false)
  expect(lines.slice(1_500)).toMatchObject([{ type: 'event', at_ns: '99000000000000' }])
  expect((await printed('events', path)).trim().split('\n')).toHaveLength(1_501)
})

test('events prints each event of an upstream once, where several have the time of the newest', async () => {
  const ties = join(folder, 'ties.dcsim')
  const attached = new ArchiveHere(ties)
  const upstream = new FeedSource(null)
  const severities = ['Info', 'Warning', 'Critical'] as const
  for (const severity of severities) attached.tell(upstream.at(5, { events: [eventAt(5, { severity })] }))
  const lines: string[] = []
  const follower = new EventFollower(
    new FileReader(ties),
    (line) => void lines.push(JSON.parse(line).severity),
  )
  for (let polls = 0; polls < 3; polls++) await follower.poll()
  expect(lines).toEqual(severities)
  attached.close()
})

test('a file in which nothing happened, and one that is none, are told in a sentence', async () => {
  const empty = newFile(join(folder, 'empty.dcsim'))
  await expect(new FileReader(empty).rows('days')).rejects.toThrow(
    new MirrorError(`${empty} has nothing that happened yet.`),
  )
  const none = join(folder, 'none.dcsim')
  await expect(new FileReader(none).events({})).rejects.toThrow(
    `Cannot read ${none}: ${none} does not exist.`,
  )
})
