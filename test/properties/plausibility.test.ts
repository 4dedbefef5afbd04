import { describe, expect, test } from 'vitest'
import { bands } from '../../src/contract/vocabularies.ts'
import { type MeasuredWeek, measureWeek, type Utilisation } from './measured-week.ts'

/** Invariant 10: it looks like the real thing. Twenty worlds at the default scale, a week each. */

const seeds = Array.from({ length: 20 }, (_, index) => BigInt(index + 1))
const weeks = new Map<bigint, MeasuredWeek>()

describe.each(seeds)('a week of seed %s', (seed) => {
  test('is simulated', { timeout: 180_000 }, () => {
    weeks.set(seed, measureWeek(seed))
    expect(weeks.get(seed)!.incidents.Watch).toBeGreaterThan(0)
  })

  test('has a new incident every one to four hours', () => {
    expect(within(weekOf(seed).hoursBetweenIncidents, 1, 4)).toBe('within 1 and 4')
  })

  test('has incidents of all four bands, and a critical one at most a tenth of the time', () => {
    const { incidents, time } = weekOf(seed)
    expect(bands.filter((band) => incidents[band] === 0)).toEqual([])
    expect(time.Critical).toBeLessThanOrEqual(0.1)
  })

  // Links are built for one of two to fail: the fullest tells how near to trouble they come.
  test.each(['cpu', 'memory', 'wan', 'fullestWan', 'fullestUplink'] as const)(
    'uses 30 to 80 %% of %s at the evening peak',
    (what) => {
      expect(within(weekOf(seed).evening[what], 30, 80)).toBe('within 30 and 80')
    },
  )

  test("differs by at least two between each customer's day and night", () => {
    expect(weekOf(seed).dayOverNight.filter((ratio) => ratio < 2)).toEqual([])
  })

  test('answers 99 to 100 %% of each customer outside of incidents', () => {
    expect(weekOf(seed).availability.filter((percent) => percent < 99)).toEqual([])
  })
})

test('told as a table', () => {
  expect(weeks.size).toBe(seeds.length)
  console.log(table([...weeks.values()]))
})

function weekOf(seed: bigint): MeasuredWeek {
  const week = weeks.get(seed)
  if (week === undefined) throw new Error(`The week of seed ${seed} was not simulated.`)
  return week
}

const within = (value: number, low: number, high: number): string =>
  value >= low && value <= high ? `within ${low} and ${high}` : `${value}`

function table(measured: readonly MeasuredWeek[]): string {
  const row = (what: string, values: readonly number[], decimals = 1): string => {
    const sorted = values.toSorted((a, b) => a - b)
    const told = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1)!]
    return [what.padEnd(52), ...told.map((value) => value.toFixed(decimals).padStart(9))].join('')
  }
  const of = (figure: (week: MeasuredWeek) => number) => measured.map(figure)
  const all = (figures: (week: MeasuredWeek) => readonly number[]) => measured.flatMap(figures)
  const used: Readonly<Record<keyof Utilisation, string>> = {
    cpu: 'CPU used, %',
    memory: 'memory promised, %',
    wan: 'links to carriers, %',
    fullestWan: 'fullest link to a carrier, %',
    uplinks: 'uplinks of racks, %',
    fullestUplink: 'fullest uplink of a rack, %',
  }
  const names = Object.keys(used) as (keyof Utilisation)[]
  return [
    `${`${measured.length} weeks at medium`.padEnd(52)}   median   lowest  highest`,
    row(
      'hours between incidents',
      of(({ hoursBetweenIncidents }) => hoursBetweenIncidents),
      2,
    ),
    ...bands.map((band) =>
      row(
        `incidents that were at worst ${band}`,
        of(({ incidents }) => incidents[band]),
        0,
      ),
    ),
    ...bands.map((band) =>
      row(
        `time with one in ${band}, %`,
        of(({ time }) => 100 * time[band]),
      ),
    ),
    ...names.map((name) =>
      row(
        `${used[name]}, mean`,
        of(({ mean }) => mean[name]),
      ),
    ),
    ...names.map((name) =>
      row(
        `${used[name]}, evening peak`,
        of(({ evening }) => evening[name]),
      ),
    ),
    row(
      'busiest over quietest hour of a customer',
      all(({ dayOverNight }) => dayOverNight),
      2,
    ),
    row(
      'answered outside of incidents, customer by customer, %',
      all(({ availability }) => availability),
      3,
    ),
    row(
      'hours to resolve an incident',
      all(({ hoursToResolve }) => hoursToResolve),
      2,
    ),
  ].join('\n')
}
