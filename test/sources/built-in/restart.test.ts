import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { SessionReport } from '../../../src/contract/session-report.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { hour } from '../../../src/world/simulation/time.ts'
import type { SimulationSpec } from '../../../src/sources/built-in/simulation-spec.ts'
import { openSimulation } from '../../../src/sources/built-in/open-simulation.ts'
import type { SimulationSource } from '../../../src/sources/built-in/simulation-source.ts'
import { openSession } from '../../../src/store/session-file.ts'
import { WorldLog } from '../../../src/store/world-log.ts'
import { newFile, savedIn, saveIn, stateIn, truthIn } from '../../fixtures/session-file.ts'
import { FakeClock } from '../../fixtures/fake-clock.ts'
import { eraseRoot } from '../../fixtures/erased-root.ts'
import { fingerprint } from '../../world/properties/fingerprint.ts'

const root = mkdtempSync(join(tmpdir(), 'dcsim-game-days-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const identity = { version: '1.0.0', seed: '3', scale: '8', scenario: '' }

interface Session {
  readonly source: SimulationSource
  readonly reports: SessionReport[]
  readonly clock: FakeClock
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(root, 'test-'))
})
const file = (name: string): string => join(folder, name)

const specOf = (isSaved: boolean): SimulationSpec => ({
  kind: 'simulation',
  seed: 3n,
  scale: 8,
  speed: 100,
  warmupNs: BigInt(2 * hour) * 1000n,
  scenario: null,
  state: isSaved ? stateIn(file('world.dcsim'), identity) : null,
  gameDay: { worldId: 'one', actions: file('actions.jsonl'), truth: newFile(file('truth.dcsim')) },
})

/** Opens a session and repeats earlier steps. */
async function begin(isSaved: boolean, given: Partial<SimulationSpec> = {}): Promise<Session> {
  const clock = new FakeClock()
  const reports: SessionReport[] = []
  const source = openSimulation(
    { ...specOf(isSaved), ...given },
    {
      exposition: createExposition({ collectors: [] }),
      clock,
      cadenceMs: 1000,
      reachNs: 0n,
      report: (report) => reports.push(report),
    },
  )
  while (source.warmUp(1).done < 1);
  await vi.waitUntil(() => !isSaved || savedIn(file('world.dcsim')) !== null)
  source.advance(clock.nowMs() + 1)
  return { source, reports, clock }
}

/** Each second of the session is a hundred seconds of simulated time. */
function live({ source, clock }: Session, seconds: number): void {
  for (let tenth = 0; tenth < 10 * seconds; tenth++) {
    clock.advanceTo(clock.nowMs() + 100)
    source.advance(clock.nowMs() + 1)
  }
}

const publish = ({ source }: Session) => source.capture(null).snapshot
const append = (line: object): void => appendFileSync(file('actions.jsonl'), `${JSON.stringify(line)}\n`)
const hosts = (id: number) => ({ kind: 'Host', id })

/** Injects actions while the session runs, and publishes before and after. */
function act(session: Session): void {
  publish(session)
  live(session, 2)
  append({ do: 'HostFailure', target: hosts(1), for: '5m' })
  append({ do: 'HostFailur', target: hosts(1) })
  append({ do: 'HostFailure', target: hosts(2), at: '10m', for: '5m' })
  live(session, 3)
  publish(session)
}

test('a world that is killed and continued carries out each action once, and equals one that never stopped', async () => {
  writeFileSync(file('actions.jsonl'), '')
  const steady = await begin(false)
  act(steady)
  live(steady, 20)
  const expected = publish(steady)
  await steady.source.close()

  writeFileSync(file('actions.jsonl'), '')
  const killed = await begin(true)
  act(killed)
  // It is not closed: the saved state is from before the actions.
  const continued = await begin(true)
  const seen = continued.reports.flatMap((report) => (report.kind === 'note' ? [report.message] : []))
  expect(seen.filter((message) => message.includes('injected HostFailure'))).toHaveLength(1)
  live(continued, 20)
  const actual = publish(continued)
  expect(actual.simTimeNs).toBe(expected.simTimeNs)
  expect(fingerprint(actual)).toBe(fingerprint(expected))
  await continued.source.close()
})

test('lines that come while no mirror runs are carried out when it is back', async () => {
  writeFileSync(file('actions.jsonl'), '')
  const first = await begin(true)
  act(first)
  await first.source.close()
  append({ do: 'HostFailure', target: hosts(3), for: '30m' })
  const second = await begin(true)
  live(second, 1)
  const messages = second.reports.flatMap((report) => (report.kind === 'note' ? [report.message] : []))
  expect(messages).toEqual([expect.stringMatching(/line 4: injected HostFailure/)])
  await second.source.close()
})

test('the truth has each fault once, also after a restart', async () => {
  writeFileSync(file('actions.jsonl'), '')
  const killed = await begin(true)
  act(killed)
  live(killed, 30)
  publish(killed)
  const continued = await begin(true)
  live(continued, 60)
  await continued.source.close()
  const lines = truthIn(file('truth.dcsim'))
  const over = lines.filter(
    ({ end, incidents }) => end !== null && incidents.every((one) => one.resolved_after_s !== null),
  )
  const injected = over.filter(({ origin }) => origin === 'injected')
  expect(injected.map(({ kind, entity, end }) => [kind, entity.id, end !== null])).toEqual([
    ['HostFailure', 1, true],
    ['HostFailure', 2, true],
  ])
  const [one] = injected
  expect(one.end!.sim_s - one.begin.sim_s).toBe(300)
  expect(one).toMatchObject({ ended_by: 'itself', repaired_after_s: null })
  expect(one.incidents.length).toBeGreaterThan(0)
  expect(one.noticed_after_s).toBeLessThan(600)
  expect(one.alerts).toContainEqual({ alert: 'DcsimHostDown', labels: { host: '1' } })
  const ids = over.map(({ world, fault }) => `${world}/${fault}`)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each([
  [
    'the head is of another time than the world',
    'head',
    /its head is of 9200000000000000000 ns, its world of \d+/,
  ],
  [
    'the last publish is years ahead',
    'mark',
    /its last publish is 9\d{18} ns ahead of it, expected at most 18144\d+/,
  ],
] as const)('a saved world is not simulated for ever where %s', async (_, damaged, reason) => {
  const first = await begin(true)
  publish(first)
  await first.source.close()
  const { head, sections } = savedIn(file('world.dcsim'))!
  if (damaged === 'head')
    await saveIn(file('world.dcsim'), { ...head, simTimeNs: 9_200_000_000_000_000_000n }, sections)
  else {
    const database = openSession(file('world.dcsim'))
    const log = new WorldLog(database, head.worldId)
    log.published({ publishSeq: 99, simTimeNs: 9_200_000_000_000_000_000n })
    database.close()
  }
  const second = await begin(true)
  const [opened] = second.reports
  expect(opened).toMatchObject({
    kind: 'opened',
    replacedFor: 'damaged',
    message: expect.stringMatching(reason),
  })
  expect(publish(second).simTimeNs).toBe(BigInt(2 * hour) * 1000n)
  await second.source.close()
})

test('a world that can be neither continued nor copied keeps its notes, and its file is closed', async () => {
  writeFileSync(file('actions.jsonl'), '')
  const first = await begin(true)
  act(first)
  await first.source.close()
  const path = file('world.dcsim')
  const notes = (): unknown => {
    const database = new DatabaseSync(path)
    const rows = database.prepare('SELECT world, taken FROM action').all()
    const publishes = database.prepare('SELECT world, seq FROM publish').all()
    database.close()
    return [rows, publishes]
  }
  const before = notes()
  // It is damaged after it was checked.
  const state = stateIn(path, { ...identity, seed: '4' })
  eraseRoot(path, 'record')
  const second = await begin(false, {
    state,
    gameDay: { worldId: 'two', actions: file('actions.jsonl'), truth: null },
  })
  expect(second.reports).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('the file cannot be copied') as string }),
  )
  expect(readdirSync(folder).filter((name) => name.startsWith('world.dcsim'))).toEqual(['world.dcsim'])
  act(second)
  await second.source.close()
  expect(notes()).toEqual(before)
})
