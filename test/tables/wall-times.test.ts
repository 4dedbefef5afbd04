import { expect, test } from 'vitest'
import type { DiagnosticsRecord } from '../../src/contract/collections.ts'
import { DiagnosticsSchema, SimulationFiguresSchema } from '../../src/contract/records/diagnostics.ts'
import { IncidentSchema } from '../../src/contract/records/operations.ts'
import { FrameRecords } from '../../src/tables/frame-records.ts'
import { TableWorld } from '../../src/tables/table-world.ts'
import { WallTimes } from '../../src/tables/wall-times.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf, rowsNamed } from './framed-worlds.ts'

const minuteNs = 60_000_000_000n
const noonMs = Date.UTC(2026, 10, 24, 12)

type Pace = Partial<DiagnosticsRecord['simulation']>

/** A world with an incident of its first minute, captured a second ago. */
function worldAt(simMinutes: bigint, wallMs: number, wallTimes: WallTimes | null, pace: Pace): TableWorld {
  const simulation = emptyRecord(SimulationFiguresSchema, { step_ns: 10_000_000_000n, ...pace })
  const frame = frameOf(
    snapshotWith(
      { incidents: [emptyRecord(IncidentSchema, { id: 1n, started_at_ns: minuteNs })] },
      { simTimeNs: simMinutes * minuteNs, diagnostics: emptyRecord(DiagnosticsSchema, { simulation }) },
    ),
  )
  clock.wall = wallMs
  const captured = { ...frame, capturedAtMs: 4_000 }
  return new TableWorld(
    new FrameRecords(captured),
    null,
    (simulation) => wallTimes?.originMs(captured, simulation) ?? null,
  )
}

const clock = { wall: 0, nowMs: () => 5_000, wallMs: () => clock.wall }

async function openedAt(world: TableWorld): Promise<unknown> {
  const [{ opened_at_wall }] = rowsNamed('incidents', world)
  return opened_at_wall
}

test('at sixty times the speed, an hour ago is a minute before the capture', async () => {
  const world = worldAt(61n, noonMs, new WallTimes(clock), { speed: 60 })
  expect(await openedAt(world)).toBe('2026-11-24T11:58:59.000Z')
  const [{ at_wall }] = rowsNamed('world', world)
  expect(at_wall).toBe('2026-11-24T11:59:59.000Z')
})

test('a resolution that is not known yet has no wall time', () => {
  const [{ resolved_at_wall }] = rowsNamed(
    'incidents',
    worldAt(61n, noonMs, new WallTimes(clock), { speed: 60 }),
  )
  expect(resolved_at_wall).toBe(null)
})

test('it stays the same from one snapshot to the next, though a snapshot is up to a step old', async () => {
  const wallTimes = new WallTimes(clock)
  const opened = []
  for (const lateMs of [0, 9_000, 4_000, -1_000])
    opened.push(await openedAt(worldAt(11n, noonMs + lateMs, wallTimes, { speed: 1 })))
  expect(new Set(opened)).toEqual(new Set(['2026-11-24T11:49:59.000Z']))
})

test('it follows a world that stood still for longer, and one of another speed', async () => {
  const wallTimes = new WallTimes(clock)
  expect(await openedAt(worldAt(11n, noonMs, wallTimes, { speed: 1 }))).toBe('2026-11-24T11:49:59.000Z')
  expect(await openedAt(worldAt(11n, noonMs + 12_000, wallTimes, { speed: 1 }))).toBe(
    '2026-11-24T11:50:11.000Z',
  )
  expect(await openedAt(worldAt(11n, noonMs + 12_000, wallTimes, { speed: 2 }))).toBe(
    '2026-11-24T11:55:11.000Z',
  )
})

test.each([
  ['paused', { speed: 60, paused: true }, new WallTimes(clock)],
  ['without a speed', { speed: 0 }, new WallTimes(clock)],
  ['that is attached', { speed: 60 }, null],
] as const)('of a world %s it is unknown', async (_, pace, wallTimes) => {
  expect(await openedAt(worldAt(61n, noonMs, wallTimes, pace))).toBe(null)
})
