import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventRecord, IncidentRecord } from '../../../src/contract/collections.ts'
import { StoryBuilder } from '../../../src/sources/story-builder.ts'
import { tables } from '../../../src/tables/catalog.ts'
import { FrameTables } from '../../../src/tables/frame-tables.ts'
import type { TableRequest } from '../../../src/tables/frame-tables.ts'
import { everything } from '../../../src/tables/past-range.ts'
import { ArchiveHere, beganMs, minuteNs, TellingSource } from '../../archive/archived-world.ts'
import { snapshotWith } from '../../fixtures/handmade-snapshot.ts'
import { frameOf } from '../../tables/framed-worlds.ts'
import type { Finding, Row } from '../harness/finding.ts'
import { estimateOf, median } from '../harness/statistics.ts'
import { nowMs, threadCpuMs } from '../harness/turns.ts'
import { builtInWorld, publisherOf } from '../support/built-in-world.ts'

const hour = 3_600_000_000
const stepsPerPublish = 6
const publishes = 15

/** The share of a publish that telling the archive takes of the world thread. */
const archiveShare: Row = {
  name: 'archive-share',
  async measure(progress) {
    progress('10,000 hosts, three simulated hours')
    const { world, source } = builtInWorld(10_000, 3 * hour)
    while (source.warmUp(nowMs() + 60_000).done < 1) progress('warming up')
    const publish = publisherOf(source)
    const stories = new StoryBuilder()
    publish()
    stories.ofRecords(world.story())
    const [publishMs, storyMs]: [number[], number[]] = [[], []]
    for (let round = 0; round < publishes; round++) {
      for (let step = 0; step < stepsPerPublish; step++) world.step()
      const beganPublishMs = threadCpuMs()
      publish()
      const beganMsOfStory = threadCpuMs()
      stories.ofRecords(world.story())
      publishMs.push(beganMsOfStory - beganPublishMs)
      storyMs.push(threadCpuMs() - beganMsOfStory)
    }
    const finding: Finding = {
      row: 'archive-share',
      measured: 'a story for the archive',
      against: 'a publish of 10,000 hosts',
      ...estimateOf(storyMs.map((ms, round) => ms / publishMs[round])),
      unit: 'of it',
      better: 'lower',
      floor: 0.02,
      medians: `${median(storyMs).toFixed(2)} and ${median(publishMs).toFixed(1)} ms`,
    }
    return [finding]
  },
}

const days = 365
const minutesPerDay = 1_440
/** Of a world of 1,000 hosts. */
const [incidentsPerDay, eventsPerDay] = [80, 1_000]

/** Incidents and events as the built-in world has them, to be told again with other numbers and times. */
function samples(): {
  readonly incidents: readonly IncidentRecord[]
  readonly events: readonly EventRecord[]
} {
  const { world, source } = builtInWorld('medium', 48 * hour)
  while (source.warmUp(nowMs() + 60_000).done < 1);
  const { collections, events } = world.story()
  return { incidents: structuredClone(collections.resolvedIncidents), events: structuredClone([...events]) }
}

function tellYear(archive: ArchiveHere, progress: (activity: string) => void): void {
  const { incidents, events } = samples()
  const source = new TellingSource('bench')
  for (let day = 0; day < days; day++) {
    if (day % 60 === 0) progress(`day ${day} of ${days}`)
    const startNs = BigInt(day * minutesPerDay) * minuteNs
    const spacing = (count: number): bigint => (BigInt(minutesPerDay) * minuteNs) / BigInt(count)
    archive.tell(
      source.at((day + 1) * minutesPerDay - 1, {
        resolved: Array.from({ length: incidentsPerDay }, (_, index) => {
          const fromNs = startNs + spacing(incidentsPerDay) * BigInt(index)
          return {
            ...incidents[index % incidents.length],
            id: day * incidentsPerDay + index + 1,
            started_at_ns: fromNs,
            resolved_at_ns: fromNs + 30n * minuteNs,
          }
        }),
        events: Array.from({ length: eventsPerDay }, (_, index) => ({
          ...events[index % events.length],
          at_ns: startNs + spacing(eventsPerDay) * BigInt(index),
        })),
      }),
    )
  }
}

const frame = () => frameOf(snapshotWith({}, { simTimeNs: BigInt(days * minutesPerDay) * minuteNs }))

/** Processor times of a page, each of another part of the year. */
async function pageMs(archive: ArchiveHere, given: Partial<TableRequest>, text = ''): Promise<number[]> {
  const shown = frame()
  const past = {
    read: async (query: Parameters<typeof archive.ask>[0]) => archive.ask(query),
    worlds: async () => [],
  }
  const times: number[] = []
  for (let round = 0; round < 21; round++) {
    const frameTables = new FrameTables(async () => null, nowMs, past)
    const toMs = beganMs + days * minutesPerDay * 1_000 - round * 60_000
    const began = threadCpuMs()
    await frameTables.encoded(shown, {
      table: tables.get('incidents')!,
      format: 'json',
      filters: new Map(),
      sort: null,
      offset: 0,
      limit: 100,
      ...given,
      past: { ...everything, fromMs: beganMs, toMs, text },
    })
    times.push(threadCpuMs() - began)
  }
  return times
}

/** Pages of a year of a world of 1,000 hosts, and what the year takes. */
const archiveYear: Row = {
  name: 'archive-year',
  async measure(progress) {
    const folder = mkdtempSync(join(tmpdir(), 'dcsim-bench-archive-'))
    const path = join(folder, 'archive.db')
    try {
      const archive = new ArchiveHere(path, { daysMax: 10_000, bytesMax: 2 ** 40 })
      tellYear(archive, progress)
      const page = (row: string, measured: string, times: readonly number[]): Finding => ({
        row,
        measured,
        against: 'processor time',
        ...estimateOf(times),
        unit: 'ms',
        better: 'lower',
        floor: 50,
        medians: `${days * incidentsPerDay} incidents, ${days * eventsPerDay} events`,
      })
      const findings = [
        page('archive-page', '100 incidents of a year', await pageMs(archive, {})),
        page(
          'archive-events',
          '100 events of a year',
          await pageMs(archive, { table: tables.get('events')! }),
        ),
        page('archive-search', '100 incidents of a year by a word', await pageMs(archive, {}, 'power')),
      ]
      archive.close()
      const recordBytes = statSync(path).size / (days * (incidentsPerDay + eventsPerDay))
      const size: Finding = {
        row: 'archive-size',
        measured: 'bytes of the file a record',
        against: 'the disk',
        ...estimateOf([recordBytes]),
        unit: 'bytes',
        better: 'lower',
        floor: 1_000,
        medians: `${(statSync(path).size / 2 ** 20).toFixed(0)} MiB a year`,
      }
      return [...findings, size]
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

export const archive: readonly Row[] = [archiveShare, archiveYear]
