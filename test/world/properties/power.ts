import type { ZoneRecord } from '../../../src/contract/collections.ts'
import { sum } from './checked-world.ts'
import type { Check } from './checked-world.ts'

/** Power and heat add up: feeds deliver the draw of racks, cooling and power conversion. */
export const powerViolations: Check = ({ snapshot: { collections } }) =>
  collections.azs.flatMap((zone) => [
    ...drawViolations(zone),
    ...feedViolations(zone),
    ...coolingViolations(zone),
    ...inletViolations(zone),
  ])

/** Records are rounded to 10 W: the tolerance is half of it for each number in a sum. */
const halfGrainKw = 0.005
const halfGrainPue = 0.0005
const halfGrainCelsius = 0.05
const rounding = 1e-9

function drawViolations({ id, power_draw_kw, pue: ratio, power_feeds, racks }: ZoneRecord): string[] {
  const pue = ratio ?? 1
  const wrong: string[] = []
  const feedsKw = sum(power_feeds, ({ load_kw }) => load_kw)
  if (Math.abs(power_draw_kw - feedsKw) > halfGrainKw * (power_feeds.length + 1) + rounding)
    wrong.push(`zone ${id} draws ${power_draw_kw} kW, its feeds carry ${feedsKw} kW`)
  const racksKw = sum(racks, (rack) => rack.power_draw_kw)
  if (racksKw === 0) return wrong
  const tolerance = halfGrainKw * (racks.length * pue + 1) + halfGrainPue * racksKw + rounding
  if (Math.abs(power_draw_kw - racksKw * pue) > tolerance)
    wrong.push(`zone ${id} draws ${power_draw_kw} kW, its racks ${racksKw} kW at a PUE of ${pue}`)
  return wrong
}

const feedViolations = ({ id, power_feeds }: ZoneRecord): string[] =>
  power_feeds
    .filter(({ powered, load_kw }) => !powered && load_kw > 0)
    .map(({ feed, load_kw }) => `zone ${id}: feed ${feed} is dead and carries ${load_kw} kW`)

/** Outdoor heat only reduces the capacity of cooling units. */
function coolingViolations({
  id,
  cooling_units,
  cooling_capacity_kw,
  cooling_load_kw,
}: ZoneRecord): string[] {
  const wrong: string[] = []
  const working = cooling_units.filter((unit) => unit.working)
  const rated = sum(working, ({ capacity_kw }) => capacity_kw)
  const tolerance = halfGrainKw * (cooling_units.length + 1) + rounding
  if (cooling_capacity_kw > rated + tolerance)
    wrong.push(`zone ${id} can cool ${cooling_capacity_kw} kW, its working units ${rated} kW`)
  const carried = sum(cooling_units, ({ load_kw }) => load_kw)
  if (Math.abs(carried - Math.min(cooling_load_kw, cooling_capacity_kw)) > tolerance)
    wrong.push(`zone ${id} has ${cooling_load_kw} kW to cool, its units cool ${carried} kW`)
  return wrong
}

function inletViolations({ id, inlet_celsius, racks }: ZoneRecord): string[] {
  const mean = sum(racks, (rack) => rack.inlet_celsius) / racks.length
  if (Math.abs(inlet_celsius - mean) <= 2 * halfGrainCelsius + rounding) return []
  return [`zone ${id} has ${inlet_celsius} °C at its inlets, its racks ${mean} °C`]
}
