/** An unknown value makes no sample: it is never zero or false. */
import { expect, test } from 'vitest'
import { collectionNames, collections } from '../../src/contract/collections.ts'
import type { Collections, Snapshot } from '../../src/contract/collections.ts'
import { DiagnosticsSchema } from '../../src/contract/records/diagnostics.ts'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import { lengthOf, unknownList } from '../../src/contract/records/unknown.ts'
import { recordReader } from '../../src/encoding/record-reader.ts'
import { collectorNames } from '../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import { countsOf, fillMissingDiagnostics } from '../../src/sources/missing-diagnostics.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { parseChunks } from './parsed-exposition.ts'
import { worldWithEverything } from './world-with-everything.ts'

/** Samples by family, each with its value. */
function samplesOf(snapshot: Snapshot): Map<string, string[]> {
  const parsed = parseChunks(
    createExposition({ collectors: collectorNames, clock: () => 0 }).render(snapshot),
  )
  const lines = Array.from(parsed, ([name, { samples }]): [string, string[]] => [
    name,
    Array.from(samples, ([sample, value]) => `${sample} ${value}`),
  ])
  return new Map(lines.filter(([, samples]) => samples.length > 0))
}

/** Records that have nothing but their ids. */
const bareWorld = (): Snapshot => {
  const bare = collectionNames.map((name) => [name, [recordReader(collections[name])('{"id":17}')]])
  const diagnostics = recordReader(DiagnosticsSchema)('{}') as Snapshot['diagnostics']
  return snapshotWith(Object.fromEntries(bare) as Partial<Collections>, { diagnostics })
}

test('a record with nothing but its id makes samples that name it, and none of its values', () => {
  const samples = samplesOf(bareWorld())
  const valued = [...samples.values()]
    .flat()
    .filter((line) => line.includes('17"') && !line.includes('_info{'))
  expect(valued).toEqual([])
})

test('families of an unknown part are absent, and all others are there', () => {
  const world = worldWithEverything()
  const whole = samplesOf(world)
  for (const part of [...collectionNames, 'events'] as const) {
    const without = samplesOf({ ...world, unknown: { [part]: 'It is absent.' } })
    const declared = Object.entries(families).filter(([, { subject }]) => subject.part === part)
    const gone = [...whole.keys()].filter((name) => !without.has(name))
    expect([part, gone.toSorted()]).toEqual([part, declared.map(([name]) => name).toSorted()])
    const others = [...without].filter(([name]) => !name.startsWith('dcsim_mirror_source_unknown_'))
    for (const [name, lines] of others) expect([part, lines]).toEqual([part, whole.get(name)])
    expect(without.get('dcsim_mirror_source_unknown_info')?.join()).toContain('reason="It is absent."')
  }
})

test('the length of a list that was not told is unknown', () => {
  expect([lengthOf(unknownList), lengthOf([]), lengthOf([1, 2])]).toEqual([Number.NaN, 0, 2])
})

test('counts of unknown parts are unknown, and others are counted', () => {
  const { collections: records } = bareWorld()
  expect(countsOf(records, { quests: 'Absent.', cables: 'Absent.' })).toEqual({
    azs: 1,
    hosts: 1,
    hosts_online: Number.NaN,
    switches: 1,
    gateways: 1,
    appliances: 1,
    patch_panels: 1,
    cables: Number.NaN,
    cables_failed: Number.NaN,
    host_pools: 1,
    segments: 1,
    subnets: 1,
    customers: 1,
    prospects: 1,
    incidents_active: 1,
    incidents_resolved: 1,
    work_orders: 1,
    quests: Number.NaN,
  })
  const hosts = [true, false, true].map((online, id) => emptyRecord(HostSchema, { id, online }))
  expect(countsOf({ ...records, hosts })).toMatchObject({ hosts: 3, hosts_online: 2, quests: 1 })
})

test('counts that diagnostics lack are filled in, though they have one', () => {
  const { collections: records, diagnostics } = bareWorld()
  const simulation = { ...diagnostics.simulation, sim_time_ns: 5n }
  const counts = { ...diagnostics.counts, hosts: 7, quests: Number.NaN, events: Number.NaN }
  expect(fillMissingDiagnostics({ ...diagnostics, simulation, counts }, 5n, records).counts).toMatchObject({
    hosts: 7,
    quests: 1,
    events: Number.NaN,
  })
})
