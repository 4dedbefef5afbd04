import { expect, test } from 'vitest'
import { collectorNames } from '../../src/metrics/declaration/collectors.ts'
import { conventions, exceptionsOf } from './conventions.ts'
import type { ConventionName } from './conventions.ts'
import { declaredFamilies } from '../../src/metrics/declaration/family-index.ts'
import type { FamilyDeclaration } from '../../src/metrics/declaration/mirror-families.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import type { Family } from '../../src/metrics/declaration/family.ts'
import { ServiceMetrics } from '../../src/metrics/service-metrics.ts'
import { parseChunks } from './parsed-exposition.ts'
import { worldWithEverything } from './world-with-everything.ts'

interface Exposed extends FamilyDeclaration {
  readonly name: string
  readonly samples: readonly (readonly [labels: string, value: number])[]
}

const service = new ServiceMetrics({
  version: '0.0.0',
  gauges: () => ({ worldReady: true, paused: false, ageSeconds: 0.5, frameBytes: 9, sourceUp: true }),
  nowMs: () => 0,
})
service.requestAnswered('hosts', 200, 0.001, 512)
const text = new Map([
  ...parseChunks(
    createExposition({ collectors: collectorNames, clock: () => 0 }).render(worldWithEverything()),
  ),
  ...parseChunks(await service.exposition()),
])
const declared = new Map([...declaredFamilies(collectorNames), ...service.declared])
const exposed = [...declared].flatMap(([name, { unit, labels }]): Exposed[] => {
  const written = text.get(name)
  if (written === undefined) return []
  const { type, help, samples } = written
  return [{ name, type: type as Exposed['type'], help, unit, labels, samples: [...samples] }]
})

const world: Readonly<Record<string, Family>> = families

const baseUnits = new Set(['', 'seconds', 'bytes', 'ratio', 'celsius', 'watts', 'dollars', 'vcpus'])
const unitWords =
  /_(?:seconds|hours|days|bytes|bits|ratio|percent|pct|celsius|watts|kw|dollars|vcpus|per_second|per_hour|per_month)$/

const valuesOf = ({ samples }: Exposed): number[] => samples.map(([, value]) => value)
const areZeroOrOne = (family: Exposed): boolean =>
  valuesOf(family).every((value) => value === 0 || value === 1)

/** For each thing, exactly one of its states holds. */
function isStateSet(family: Exposed): boolean {
  const things = Map.groupBy(family.samples, ([labels]) => labels.replace(/,?state="[^"]*"/, ''))
  const holding = [...things.values()].map((ofOne) => ofOne.filter(([, value]) => value === 1).length)
  return family.labels.includes('state') && areZeroOrOne(family) && holding.every((count) => count === 1)
}

function isInstant({ name, help }: Exposed): boolean {
  const source = world[name]?.source
  const isMoment = source !== undefined && 'field' in source && source.field.endsWith('_at_ns')
  return isMoment || /^When |\btime at which\b|^Start time/i.test(help)
}

const checks: Readonly<Record<ConventionName, (family: Exposed) => boolean>> = {
  prefix: ({ name }) => name.startsWith('dcsim_'),
  help: ({ help }) => /^[A-Z\d][^]+\.$/.test(help),
  unit: ({ name, unit, samples }) => {
    const bare = name.replace(/_total$/, '')
    if (unit !== '') return bare.endsWith(`_${unit}`)
    return !unitWords.test(bare) && samples.every(([, value]) => Number.isInteger(value))
  },
  base_unit: ({ unit }) => baseUnits.has(unit) || unit.endsWith('_per_second'),
  total: ({ name, type }) => name.endsWith('_total') === (type === 'counter'),
  info: (family) =>
    family.name.endsWith('_info')
      ? valuesOf(family).every((value) => value === 1)
      : !family.help.includes('Always 1'),
  boolean: (family) =>
    !(family.help.startsWith('Whether') || family.name.endsWith('_up')) || areZeroOrOne(family),
  state: (family) =>
    family.help.includes('1 for the state') ? isStateSet(family) : !/\b0 \w+, 1 \w+, 2 /.test(family.help),
  quantile: ({ name, type, labels }) =>
    !/_p\d+(?:_|$)|quantile|percentile|median/.test(name) &&
    labels.includes('quantile') === (type === 'summary'),
  instant: (family) => {
    const suffix = family.name in world ? '_sim_timestamp_seconds' : '_timestamp_seconds'
    return isInstant(family) === family.name.endsWith(suffix)
  },
  labels: ({ name, samples }) =>
    !name.includes('_by_') && !samples.some(([labels]) => /[{,]unit="(?!\d)/.test(labels)),
}

const names = Object.keys(conventions) as ConventionName[]
const standsFor = (listed: string, name: string): boolean =>
  listed.endsWith('*') ? name.startsWith(listed.slice(0, -1)) : name === listed

test('the exporter writes every family that is declared, as it is declared', () => {
  expect([...text.keys()].toSorted()).toStrictEqual([...declared.keys()].toSorted())
  const unseen = exposed.filter(({ name, samples }) => name in world && samples.length === 0)
  expect(unseen.map(({ name }) => name)).toStrictEqual([])
  const otherwise = exposed.filter(({ name, type, help }) => {
    const declaration = declared.get(name)!
    return type !== declaration.type || help !== declaration.help
  })
  expect(otherwise.map(({ name }) => name)).toStrictEqual([])
})

test.each(names)('%s: every family keeps the convention, but those that are listed with a reason', (name) => {
  const listed = exceptionsOf(name).flatMap((exception) => exception.families)
  const offenders = exposed.filter((family) => !checks[name](family)).map((family) => family.name)
  expect(offenders.filter((family) => !listed.some((one) => standsFor(one, family)))).toStrictEqual([])
  expect(listed.filter((one) => !offenders.some((family) => standsFor(one, family)))).toStrictEqual([])
})
