import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import type { Collections } from '../../src/contract/collections.ts'
import type { Field, RecordValue, RecordType } from '../../src/contract/fields.ts'
import { DiagnosticsSchema } from '../../src/contract/records/diagnostics.ts'
import { createTotalsLedger } from '../../src/contract/totals.ts'
import { collectorNames } from '../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import type { FamilyName, LabelOf } from '../../src/metrics/families/all.ts'
import type { Family } from '../../src/metrics/declaration/family.ts'
import { createServiceMetrics } from '../../src/metrics/service-metrics.ts'
import { mirrorFamilies } from '../../src/metrics/declaration/mirror-families.ts'
import type { FamilyDeclaration } from '../../src/metrics/declaration/mirror-families.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { parseChunks, textOf } from './parsed-exposition.ts'

const declared: Readonly<Record<string, Family>> = families

/** A record in which every list has one entry and nothing is null. */
function full<R extends RecordType>(type: R): RecordValue<R> {
  const valueOf = (field: Field): unknown => {
    if (field.recordType !== undefined) return full(field.recordType)
    if (field.of !== undefined) return [valueOf(field.of)]
    if (field.kind === 'bool') return true
    if (field.kind === 'str') return field.values?.[0] ?? 'some'
    return field.kind === 'keyed' ? { Port: 1 } : 1
  }
  const values = Object.entries(type.fields).map(([name, field]) => [name, valueOf(field)])
  return emptyRecord(type, Object.fromEntries(values) as Partial<RecordValue<R>>)
}

function fullSnapshot() {
  const given = Object.entries(collections).map(([name, type]) => [name, [full(type as RecordType)]])
  const totals = createTotalsLedger()
  totals.event('Breach', 'Critical')
  totals.incidentOpened('Minor', 'HighLatency')
  totals.incidentResolved('Major', 'CableCut', 700)
  const records = Object.fromEntries(given) as Partial<Collections>
  records.workOrders![0].resolved_at_ns = null
  const [argument] = records.incidents![0].symptom_msg_args
  records.incidents![0].symptom_msg_args = [
    { ...argument, key: 'name' },
    { ...argument, key: 'place' },
  ]
  records.cables![0].a!.device_kind = 'Switch'
  records.cables![0].b!.device_kind = 'Gateway'
  return snapshotWith(records, { totals, diagnostics: full(DiagnosticsSchema) })
}

test('names end as their types and units ask', () => {
  const wrong = Object.entries({ ...declared, ...mirrorFamilies } as Record<
    string,
    FamilyDeclaration
  >).filter(([name, { type, unit }]) => {
    const isCounter = name.endsWith('_total')
    const bare = name.replace(/_total$/, '')
    return isCounter !== (type === 'counter') || (unit !== '' && !bare.endsWith(`_${unit}`))
  })
  expect(wrong.map(([name]) => name)).toStrictEqual([])
})

test('every family has samples in a world that has everything', () => {
  const parsed = parseChunks(createExposition({ collectors: collectorNames }).render(fullSnapshot()))
  expect(Object.keys(declared).filter((name) => !parsed.has(name))).toStrictEqual([])
})

test('the help of a family speaks of its own unit, not of the unit of the record field', () => {
  const contradictions = Object.entries(declared).filter(
    ([name, { help }]) =>
      (name.endsWith('_ratio') && /\b100\b|percent|%/i.test(help)) ||
      (/_seconds(?:_total)?$/.test(name) && /\b(?:hours?|milliseconds?|nanoseconds?|ms|ns)\b/i.test(help)),
  )
  expect(contradictions.map(([name, { help }]) => `${name}: ${help}`)).toStrictEqual([])
})

test('samples carry no labels but those declared', () => {
  const parsed = parseChunks(createExposition({ collectors: collectorNames }).render(fullSnapshot()))
  for (const [name, { labels }] of Object.entries(declared)) {
    const used = [...parsed.get(name)!.samples.keys()].flatMap((sample) =>
      [...sample.matchAll(/[{,](?<label>\w+)="/g)].map((match) => match.groups!['label']),
    )
    expect([name, new Set(labels)]).toStrictEqual([name, new Set(used)])
  }
})

test('the closed set of names and labels is one of types', () => {
  const label: LabelOf<'dcsim_host_units'> = 'pool'
  // @ts-expect-error There is no such family.
  const misspelt: FamilyName = 'dcsim_hosts_unit'
  // @ts-expect-error The family has no such label.
  const strange: LabelOf<'dcsim_host_units'> = 'customer'
  expect([label, misspelt, strange].map((word) => typeof word)).toStrictEqual(['string', 'string', 'string'])
})

function promtool(): string | null {
  const found = spawnSync('promtool', ['--version'])
  if (found.status === 0) return execFileSync('which', ['promtool'], { encoding: 'utf8' }).trim()
  if (process.env['CI'] !== undefined) throw new Error('promtool is missing.')
  return null
}

const tool = promtool()

test.skipIf(tool === null)('promtool has nothing to say about any family (needs promtool)', async () => {
  const service = createServiceMetrics({
    version: '0.0.0',
    gauges: () => ({ worldReady: true, paused: false, ageSeconds: 0.5, frameBytes: 9, sourceUp: true }),
    nowMs: () => 0,
  })
  service.requestAnswered('hosts', 200, 0.001, 512)
  service.published(0.004)
  service.sourceFailed('unreachable')
  const world = textOf(
    createExposition({ collectors: collectorNames, clock: () => 0 }).render(fullSnapshot()),
  )
  const { status, stdout, stderr } = spawnSync(tool!, ['check', 'metrics'], {
    input: world + textOf(await service.exposition()),
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toStrictEqual({ status: 0, stdout: '', stderr: '' })
})
