import { describe, expect, test } from 'vitest'
import type { Snapshot } from '../../src/contract/collections.ts'
import { graphFrom } from '../../src/tables/columns/incidents/graph-range.ts'
import { crisisSnapshot, frameOf, rowsNamed, worldOf } from './framed-worlds.ts'

const snapshot = crisisSnapshot()
const { diagnostics } = snapshot

/** The same time of a world that runs at another speed. */
function at(speed: number, paused = false): Snapshot {
  const simulation = { ...diagnostics.simulation, speed, paused }
  return { ...snapshot, diagnostics: { ...diagnostics, simulation } }
}

const rowsAt = (table: string, moment: Snapshot) => rowsNamed(table, worldOf(frameOf(moment)))
const wallMinutes = (graphFrom: unknown): number => Number(/^now-(\d+)m$/.exec(String(graphFrom))![1])

describe('graphs of an incident begin well before its opening', () => {
  test.each([0.5, 1, 60, 3600])('in a world at speed %d', (speed) => {
    const rows = rowsAt('incidents', at(speed))
    const [{ at: now }] = rowsAt('world', at(speed))
    expect(rows.length).toBeGreaterThan(1)
    for (const row of rows) {
      const ago = (Date.parse(String(now)) - Date.parse(String(row['opened_at']))) / 1000
      const before = wallMinutes(row['graph_from']) - ago / speed / 60
      expect(before).toBeGreaterThanOrEqual(Math.max(10, ago / speed / 120) - 1e-9)
      expect(before).toBeLessThan(Math.max(10, ago / speed / 120) + 5.1)
    }
  })

  test.each([
    ['it is paused', at(0)],
    ['it is paused at a speed', at(60, true)],
  ])('an hour ago while %s', (_, moment) => {
    for (const row of rowsAt('incidents', moment)) expect(row['graph_from']).toBe('now-1h')
  })
})

test.each([
  [0, 'now-10m'],
  [1, 'now-15m'],
  [5, 'now-15m'],
  [20, 'now-30m'],
  [21, 'now-35m'],
  [60, 'now-90m'],
])('an incident of %d minutes: %s', (minutes, range) => {
  const nowNs = 7_200_000_000_000n
  const incident = { started_at_ns: nowNs - BigInt(minutes) * 60_000_000_000n }
  const simulation = { speed: 1, paused: false }
  expect(graphFrom(incident as never, { nowNs, simulation } as never)).toBe(range)
})

test('an hour ago where the speed of an upstream is unknown', () => {
  const simulation = { speed: Number.NaN, paused: null }
  expect(graphFrom({ started_at_ns: 1n } as never, { nowNs: 2n, simulation } as never)).toBe('now-1h')
})

test('a task links to its incident, or to a page with more about its kind', () => {
  const moment = at(60)
  const ranges = new Map(rowsAt('incidents', moment).map((row) => [row['incident_id'], row['graph_from']]))
  const tasks = rowsAt('tasks', moment)
  expect(new Set(tasks.map(({ kind }) => kind))).toContain('prospect')
  for (const task of tasks) {
    const isOfIncident = task['incident_id'] !== null
    expect(task['graph_from']).toBe(isOfIncident ? ranges.get(task['incident_id']) : 'now-1h')
    const page = task['kind'] === 'prospect' ? 'growth' : 'business'
    expect(task['leads_to']).toBe(isOfIncident ? 'incident' : page)
  }
})
