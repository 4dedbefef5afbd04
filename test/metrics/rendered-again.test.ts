import { describe, expect, test } from 'vitest'
import type { Snapshot } from '../../src/contract/collections.ts'
import { collectorNames } from '../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import type { FamilyName } from '../../src/metrics/families/all.ts'
import { parseChunks } from './parsed-exposition.ts'
import type { ParsedFamily } from './parsed-exposition.ts'
import { later, ofAnotherFirewall, worldAfter } from './small-world.ts'

function incidentsByBand({ collections }: Snapshot): Record<string, number> {
  const counts: Record<string, number> = { Watch: 0, Minor: 0, Major: 0, Critical: 0 }
  for (const { band } of collections.incidents) counts[band]++
  return counts
}

function scrapedByBand(parsed: Map<string, ParsedFamily>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [sample, value] of parsed.get('dcsim_incidents_active')!.samples) {
    const { band } = /band="(?<band>\w+)"/.exec(sample)!.groups!
    counts[band] = (counts[band] ?? 0) + value
  }
  return counts
}

/** Counters whose value has decreased. */
function fallen(before: Map<string, ParsedFamily>, after: Map<string, ParsedFamily>): string[] {
  return [...before].flatMap(([name, { type, samples }]) =>
    type === 'gauge' || type === 'summary'
      ? []
      : [...samples]
          .filter(([sample, value]) => (after.get(name)?.samples.get(sample) ?? Infinity) < value)
          .map(([sample]) => sample),
  )
}

/** The families with samples in the worlds below. */
const sampled = new Set<string>()

describe.each([
  [30, 1n],
  [30, 20_261_120n],
  // A customer is under attack.
  [28.5, 28n],
  // Units are unplaced.
  [44, 58n],
])('a scrape, %d hours and later, of the world of seed %d', (hours, seed) => {
  const world = worldAfter(hours, seed)
  const exposition = createExposition({ collectors: collectorNames })

  test('is the same as one that was never rendered before, publish after publish', () => {
    for (let publish = 0; publish < 12; publish++) {
      const snapshot = later(world, publish === 0 ? 0 : 6 * publish)
      const parsed = parseChunks(exposition.render(snapshot))
      for (const [family, { samples }] of parsed) if (samples.size > 0) sampled.add(family)
      expect(scrapedByBand(parsed)).toStrictEqual(incidentsByBand(snapshot))
      const fresh = createExposition({ collectors: collectorNames }).render(snapshot)
      expect(new Map(parsed)).toStrictEqual(parseChunks(fresh))
    }
  })

  test('counts as many events and incidents as the world does', () => {
    const snapshot = world.snapshot()
    const parsed = parseChunks(exposition.render(snapshot))
    const total = (family: FamilyName): number =>
      [...parsed.get(family)!.samples.values()].reduce((sum, value) => sum + value, 0)
    const { events, incidents_opened: opened, incidents_active: active } = snapshot.diagnostics.counts
    expect(total('dcsim_events_total')).toBe(Number(events))
    expect(total('dcsim_incidents_opened_total')).toBe(Number(opened))
    expect(total('dcsim_incidents_resolved_total')).toBe(Number(opened) - active)
    const { samples } = parsed.get('dcsim_incidents_time_to_resolve_seconds')!
    const counted = [...samples].filter(([sample]) => sample.includes('_count{'))
    expect(counted.reduce((sum, [, value]) => sum + value, 0)).toBe(Number(opened) - active)
  })

  test('has counters that never fall, over a long pause too', () => {
    let before = parseChunks(exposition.render(world.snapshot()))
    for (const steps of [6, 6, 2_000, 6, 1]) {
      const after = parseChunks(exposition.render(later(world, steps)))
      expect(fallen(before, after)).toStrictEqual([])
      before = after
    }
  })
})

test('in one world or another every family had something to say', () => {
  const silent = Object.keys(families).filter((family) => !sampled.has(family))
  // The built-in world knows and keeps everything.
  const ofGaps = /^dcsim_mirror_source_(?:unknown|records)_/
  expect(silent.filter((family) => !ofAnotherFirewall.test(family) && !ofGaps.test(family))).toStrictEqual([])
})
