import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { SimulationSpec } from '../../../src/sources/built-in/simulation-spec.ts'
import { openTruth } from '../../../src/sources/built-in/truth-keeper.ts'
import type { SessionReport } from '../../../src/contract/session-report.ts'
import { openSession } from '../../../src/store/session-file.ts'
import { createBuiltInWorld, stepSeconds } from '../../../src/world/built-in-world.ts'
import { FakeClock } from '../../fixtures/fake-clock.ts'
import { newFile, truthIn } from '../../fixtures/session-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'truth-keeper-'))
afterAll(() => rmSync(folder, { recursive: true }))

const hourMs = 3_600_000
const speed = 3_600
const days = 2

function opened(name: string, report: (one: SessionReport) => void = () => {}) {
  const path = newFile(join(folder, name))
  const clock = new FakeClock()
  const truth = openTruth({ speed, gameDay: { truth: path } } as SimulationSpec, { clock, report })!
  onTestFinished(() => truth.close())
  return { path, clock, truth }
}

test('no fault ends before it begins, though the wall clock is set back', () => {
  const { path, clock, truth } = opened('truth.dcsim')
  const world = createBuiltInWorld({
    seed: 3n,
    scale: 8,
    speed,
    scenario: null,
    warmUpNs: 0n,
    truth: truth.options,
  })
  truth.begin(world, 'w', 0)
  truth.caughtUp()
  const stepsPerDay = 86_400 / stepSeconds
  for (let step = 1; step <= days * stepsPerDay; step++) {
    world.step()
    clock.advanceTo((step * stepSeconds * 1000) / speed)
    if (step % (stepsPerDay / 24) === 0) clock.wallOffsetMs -= 3 * hourMs
  }
  const faults = truthIn(path)
  const lasting = faults.filter(({ begin, end }) => end!.sim_s - begin.sim_s > 3_600)
  expect(lasting.length).toBeGreaterThan(0)
  expect(faults.filter(({ begin, end }) => end!.wall_s < begin.wall_s)).toEqual([])
})

test('faults of the warm-up are dated back from its end, however long it took', () => {
  const { path, clock, truth } = opened('warm-up.dcsim')
  const world = createBuiltInWorld({
    seed: 3n,
    scale: 8,
    speed,
    scenario: null,
    warmUpNs: BigInt(days * 86_400) * 1_000_000_000n,
    truth: truth.options,
  })
  const warmUpSeconds = days * 86_400
  truth.begin(world, 'w', warmUpSeconds * 1_000_000)
  for (let step = 1; step <= warmUpSeconds / stepSeconds; step++) {
    world.step()
    clock.advanceTo(step)
  }
  expect(truthIn(path)).toEqual([])
  truth.caughtUp()
  const endSeconds = clock.wallMs() / 1000
  const moments = truthIn(path).flatMap(({ begin, end }) => [begin, end!])
  expect(moments.length).toBeGreaterThan(4)
  for (const { sim_s: sim, wall_s: wall } of moments)
    expect(wall).toBeCloseTo(endSeconds - (warmUpSeconds - sim) / speed, 0)
})

test('a truth that cannot be written is said once', () => {
  const messages: string[] = []
  const report = (one: SessionReport): void => void (one.kind === 'note' && messages.push(one.message))
  const { path, truth } = opened('failing.dcsim', report)
  const world = createBuiltInWorld({ seed: 3n, scale: 8, speed, scenario: null, warmUpNs: 0n })
  const database = openSession(path)
  database.exec('DROP TABLE game_day_log')
  database.close()
  truth.begin(world, 'w', 0)
  truth.caughtUp()
  truth.action(0, { did: 'injected', text: 'a', line: 'a' })
  expect(messages).toEqual([`Cannot write the truth to ${path}: no such table: game_day_log.`])
})
