import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChangeBuilder } from '../../../src/sources/change-builder.ts'
import { TableMaker } from '../../../src/tables/thread/table-maker.ts'
import { everything } from '../../../src/tables/engine/archive-range.ts'
import { ArchiveHere, beganMs, minuteNs, FeedSource } from '../../archive/archived-world.ts'
import { snapshotWith } from '../../fixtures/handmade-snapshot.ts'
import { frameOf } from '../../tables/framed-worlds.ts'
import { atMost, finding } from '../harness/finding.ts'
import type { Finding, Row } from '../harness/finding.ts'
import { estimateOf, nowMs, takeTurns, threadCpuMs } from '../harness/turns.ts'
import { builtInWorld, publisherOf } from '../support/built-in-world.ts'

const hour = 3_600_000_000
const stepsPerPublish = 6

/** The share of a publish that telling the archive takes of the world thread. */
const archiveShare: Row = {
  name: 'archive-share',
  async measure() {
    const { world, source } = builtInWorld(10_000, 3 * hour)
    while (source.warmUp(nowMs() + 60_000).done < 1);
    const publish = publisherOf(source)
    const changes = new ChangeBuilder()
    changes.ofRecords(world.feedSnapshot())
    const turns = await takeTurns({
      publish: {
        prepare() {
          for (let step = 0; step < stepsPerPublish; step++) world.step()
        },
        run: () => void publish(),
      },
      changes: { run: () => void changes.ofRecords(world.feedSnapshot()) },
    })
    const measured = 'a batch of changes, against a publish of 10,000 hosts'
    const [ratio, sides] = [turns.ratio('changes', 'publish'), turns.sides('changes', 'publish')]
    return [finding('archive-share', measured, atMost(0.006), ratio, sides)]
  },
}

const days = 365
const minutesPerDay = 1_440
/** Of a world of 1,000 hosts. */
const [incidentsPerDay, eventsPerDay] = [80, 1_000]

/** Tells a year: incidents and events as the built-in world has them, with other numbers and times. */
function tellYear(archive: ArchiveHere): void {
  const { world, source: simulation } = builtInWorld('medium', 48 * hour)
  while (simulation.warmUp(nowMs() + 60_000).done < 1);
  const { collections, events: happened } = world.feedSnapshot()
  const [incidents, samples] = [
    structuredClone(collections.resolvedIncidents),
    structuredClone([...happened]),
  ]
  const source = new FeedSource('bench')
  for (let day = 0; day < days; day++) {
    const startNs = BigInt(day * minutesPerDay) * minuteNs
    const nsOf = (index: number, count: number): bigint =>
      startNs + (BigInt(minutesPerDay) * minuteNs * BigInt(index)) / BigInt(count)
    const resolved = Array.from({ length: incidentsPerDay }, (_, index) => {
      const fromNs = nsOf(index, incidentsPerDay)
      const times = { started_at_ns: fromNs, resolved_at_ns: fromNs + 30n * minuteNs }
      return { ...incidents[index % incidents.length], id: day * incidentsPerDay + index + 1, ...times }
    })
    const events = Array.from({ length: eventsPerDay }, (_, index) => ({
      ...samples[index % samples.length],
      at_ns: nsOf(index, eventsPerDay),
    }))
    archive.tell(source.at((day + 1) * minutesPerDay - 1, { resolved, events }))
  }
}

/** Processor times of a page, each of another part of the year. */
function pageMs(archive: ArchiveHere, text: string): number[] {
  const shown = frameOf(snapshotWith({}, { simTimeNs: BigInt(days * minutesPerDay) * minuteNs }))
  const times: number[] = []
  for (let round = 0; round < 21; round++) {
    const maker = new TableMaker({ archive: archive.archive })
    maker.show(shown)
    const toMs = beganMs + days * minutesPerDay * 1_000 - round * 60_000
    const began = threadCpuMs()
    maker.make({
      table: 'incidents',
      format: 'json',
      filters: new Map(),
      sort: null,
      offset: 0,
      limit: 100,
      range: { ...everything, fromMs: beganMs, toMs, text },
    })
    times.push(threadCpuMs() - began)
  }
  return times
}

/** Pages of a year of a world of 1,000 hosts, and what the year takes. */
const archiveYear: Row = {
  name: 'archive-year',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'dcsim-bench-archive-'))
    const path = join(folder, 'archive.db')
    const archive = new ArchiveHere(path, 2 ** 40)
    try {
      tellYear(archive)
      const page = (row: string, text: string): Finding => {
        const measured = `100 incidents of a year${text === '' ? '' : ' by a word'}, in processor time`
        return finding(row, measured, atMost(50, 'ms'), estimateOf(pageMs(archive, text)), '')
      }
      const findings = [page('archive-page', ''), page('archive-search', 'power')]
      archive.close()
      const { size } = statSync(path)
      const bytes = estimateOf([size / (days * (incidentsPerDay + eventsPerDay))])
      const sides = `${(size / 2 ** 20).toFixed(0)} MiB a year`
      return [
        ...findings,
        finding('archive-size', 'the file, a record', atMost(1_000, 'bytes'), bytes, sides),
      ]
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

export const archive: readonly Row[] = [archiveShare, archiveYear]
