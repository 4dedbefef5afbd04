import { createSimulation } from '../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'

/** Records that are written out of each collection, and things that are of each list in them. */
const shownMax = 2
const idsMax = 6

const eighths = 1 / 8
const numbersMax = 97

/**
 * A new world in which every measured quantity is a number of its own, from 1 to 13, as no world has them: a record that
 * shows another one is noticed.
 */
export function numberedSimulation(): Simulation {
  const sim = createSimulation({ seed: 4n, scale: 'small', scenario: null, warmUp: 0, speed: 60 })
  sim.step()
  const { network, facility, load, threats } = sim.state
  let count = 0
  for (const column of [network, facility, load, threats].flatMap((part) => Object.values(part)))
    if (column instanceof Float64Array)
      for (let row = 0; row < column.length; row++) column[row] = 1 + (count++ % numbersMax) * eighths
  sim.customers.state.version++
  return sim
}

type Lines = Map<string, string>

/** The fields of a record with those of records in it, by their paths. */
function linesOf(value: unknown, path: string, lines: Lines): Lines {
  const isRecord = (one: unknown): boolean => typeof one === 'object' && one !== null
  if (Array.isArray(value) && value.some(isRecord)) {
    for (const [index, one] of value.slice(0, shownMax).entries()) linesOf(one, `${path}.${index}`, lines)
    if (value.length > shownMax) lines.set(`${path}.length`, String(value.length))
  } else if (Array.isArray(value)) {
    const rest = value.length > idsMax ? ` … of ${value.length}` : ''
    lines.set(path, `${value.slice(0, idsMax).join(', ')}${rest}`)
  } else if (isRecord(value))
    for (const [name, one] of Object.entries(value as object))
      linesOf(one, path === '' ? name : `${path}.${name}`, lines)
  else lines.set(path, value === null ? '–' : `${value as string | number | bigint | boolean}`)
  return lines
}

/** The first records of a collection side by side, a line a field. */
export function recordsText(records: readonly unknown[]): string {
  const columns = records.slice(0, shownMax).map((record) => linesOf(record, '', new Map()))
  const paths = new Set(columns.flatMap((lines) => [...lines.keys()]))
  return Array.from(
    paths,
    (path) => `${[path, ...columns.map((lines) => lines.get(path) ?? '')].join(' | ')}\n`,
  ).join('')
}
