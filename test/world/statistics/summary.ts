import { bands, rootKinds, symptomKinds } from '../../../src/contract/vocabularies.ts'
import { equipmentKinds, type MeasuredWorld } from './measure.ts'
import { Spread } from './spread.ts'

/** The figures of several worlds together, as lines of text. */
export function summaryOf(worlds: readonly MeasuredWorld[]): string {
  const days = sum(worlds.map((world) => world.days))
  const incidents = sum(worlds.flatMap((world) => bands.map((band) => world.bands[band])))
  const merged = sum(worlds.map((world) => world.merged))
  const grave = sum(worlds.flatMap(({ graveRootKinds }) => [...graveRootKinds.values()]))
  const graveEquipment = sum(
    worlds.flatMap(({ graveRootKinds }) =>
      [...graveRootKinds].map(([kind, count]) => (equipmentKinds.has(kind) ? count : 0)),
    ),
  )
  return [
    `${days} days, ${incidents} incidents: one every ${((24 * days) / incidents).toFixed(1)} h`,
    ...bands.map((band) => {
      const minutes = Spread.merge(worlds.map(({ durations }) => durations[band]))
      const count = sum(worlds.map((world) => world.bands[band]))
      const time = sum(worlds.map(({ timeInBand }) => timeInBand[band])) / worlds.length
      return (
        `${band}: ${count} (${(count / days).toFixed(2)} a day, ${percent(time)} of the time), ` +
        `minutes ${quantiles(minutes, 0)}`
      )
    }),
    `Major and Critical from equipment, power, cooling or cables: ${percent(graveEquipment / grave)}`,
    `Minutes to the confirmed cause: ${quantiles(mergedSpread(worlds, 'confirmations'), 0)}`,
    '',
    `Merged into another incident: ${merged} (${percent(merged / incidents)})`,
    `Root kinds of the others: ${counts(rootKinds, worlds, 'rootKinds', incidents - merged)}`,
    `Root kinds of Major and Critical: ${counts(rootKinds, worlds, 'graveRootKinds', grave)}`,
    `First symptoms: ${counts(symptomKinds, worlds, 'headlines', incidents)}`,
    '',
    `PUE: ${quantiles(mergedSpread(worlds, 'pue'), 2)}`,
    `Outdoor temperature, °C: ${quantiles(mergedSpread(worlds, 'outdoorCelsius'), 1)}`,
    `Inlet temperature, °C: ${quantiles(mergedSpread(worlds, 'inletCelsius'), 1)}`,
    `Load of a feed if it were alone: ${quantiles(mergedSpread(worlds, 'survivingFeedLoad'), 2)}`,
    `Load of the cooling: ${quantiles(mergedSpread(worlds, 'coolingLoad'), 2)}`,
  ].join('\n')
}

type Counted = 'rootKinds' | 'graveRootKinds' | 'headlines'
type Measured =
  | 'confirmations'
  | 'pue'
  | 'outdoorCelsius'
  | 'inletCelsius'
  | 'survivingFeedLoad'
  | 'coolingLoad'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const mergedSpread = (worlds: readonly MeasuredWorld[], name: Measured): Spread =>
  Spread.merge(worlds.map((world) => world[name]))

const quantiles = (spread: Spread, decimals: number): string =>
  [0, 0.1, 0.5, 0.9, 1].map((share) => spread.quantile(share).toFixed(decimals)).join(' / ')

/** How often each kind occurred, most often first; those that never did stand last. */
function counts(
  kinds: readonly string[],
  worlds: readonly MeasuredWorld[],
  name: Counted,
  all: number,
): string {
  return kinds
    .map((kind) => {
      const count = sum(worlds.map((world) => (world[name] as ReadonlyMap<string, number>).get(kind) ?? 0))
      return { kind, count }
    })
    .toSorted((a, b) => b.count - a.count)
    .map(({ kind, count }) => `${kind} ${count} (${percent(count / all)})`)
    .join(', ')
}
