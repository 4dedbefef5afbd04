import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { answersFileOf } from '../../../src/contract/game-days/action-answer.ts'
import { messageText } from '../../../src/contract/messages/catalog.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { shippedScenario } from '../../../src/world/scenarios/shipped.ts'
import { ActionsFile } from '../../../src/sources/built-in/actions-file.ts'
import { hour } from '../../../src/world/simulation/time.ts'
import { isPosix } from '../../fixtures/tools.ts'
import { fingerprint } from '../../world/properties/fingerprint.ts'

const root = mkdtempSync(join(tmpdir(), 'dcsim-actions-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let path = ''
let reports: string[] = []
beforeEach(() => {
  path = join(mkdtempSync(join(root, 'test-')), 'actions.jsonl')
  reports = []
})

const action = (id: number, more = ''): string =>
  `{"do":"HostFailure","target":{"kind":"Host","id":${id}}${more}}\n`

/** Its session has begun: the warm-up is over at once. */
function worldWith(log: ConstructorParameters<typeof ActionsFile>[0]['log'] = null): {
  readonly world: Simulation
  readonly file: ActionsFile
} {
  const world = createSimulation({
    seed: 1n,
    scale: 8,
    speed: 60,
    warmUp: 0,
    scenario: shippedScenario('quiet-week'),
  })
  const file = new ActionsFile({
    path,
    actions: world.world.injected,
    now: () => world.state.now,
    speed: 60,
    log,
    report: (isProblem, message) =>
      reports.push(`${isProblem ? 'problem: ' : ''}${message.replaceAll(path, 'F')}`),
  })
  file.open()
  return { world, file }
}

function poll({ world, file }: ReturnType<typeof worldWith>): void {
  file.poll()
  world.step()
}

const broken = ({ parts }: Simulation): number[] =>
  parts.faults.active.map(({ target }) => ('row' in target ? target.row + 1 : 0))

describe('a file of actions', () => {
  test('that appears later is read, and each line appended to it is carried out at the next step', () => {
    const session = worldWith()
    poll(session)
    writeFileSync(path, action(1))
    poll(session)
    poll(session)
    expect(broken(session.world)).toEqual([1])
    appendFileSync(path, action(2))
    poll(session)
    expect(broken(session.world)).toEqual([1, 2])
    const { events } = session.world.snapshot()
    const injections = events.filter(({ msg_key: key }) => key === 'event.action-injected')
    expect(injections.map((event) => messageText(event.msg_key, event.msg_args))).toEqual([
      `Injected: HostFailure at ${session.world.state.topology.hosts.name[0]}.`,
      `Injected: HostFailure at ${session.world.state.topology.hosts.name[1]}.`,
    ])
    expect(reports).toEqual([
      `F, line 1: injected HostFailure at ${session.world.state.topology.hosts.name[0]}, at 10s of the session (10s of the world).`,
      `F, line 2: injected HostFailure at ${session.world.state.topology.hosts.name[1]}, at 30s of the session (30s of the world).`,
    ])
  })

  test('says how long an action lasts, in the world and on the clock', () => {
    const session = worldWith()
    writeFileSync(path, action(1, ',"for":"1h 30m"'))
    poll(session)
    const [name] = session.world.state.topology.hosts.name
    expect(reports).toEqual([
      `F, line 1: injected HostFailure at ${name}, at 0s of the session (0s of the world). It lasts 1h 30m, 1m 30s of yours, unless it is repaired before.`,
    ])
  })

  test('is read line by line: text after the last line break is incomplete', () => {
    const session = worldWith()
    writeFileSync(path, action(1).slice(0, 12))
    poll(session)
    expect(broken(session.world)).toEqual([])
    appendFileSync(path, action(1).slice(12))
    poll(session)
    expect(broken(session.world)).toEqual([1])
    expect(reports).toHaveLength(1)
  })

  test('with a line that cannot be done says line, column and reason; the other lines count', () => {
    const session = worldWith()
    writeFileSync(path, `${action(1)}{"do":"HostFailur","target":{"kind":"Host"}}\n\nnonsense\n${action(2)}`)
    poll(session)
    expect(broken(session.world)).toEqual([1, 2])
    expect(reports.filter((report) => report.startsWith('problem'))).toEqual([
      'problem: F, line 2, column 7: unknown action "HostFailur"; did you mean "HostFailure"? The line is left out.',
      'problem: F, line 4, column 1: expected a value, got "nonsense". The line is left out.',
    ])
  })

  test('with many lines that cannot be done describes the first five, and counts the others', () => {
    const session = worldWith()
    writeFileSync(path, 'nonsense\n'.repeat(20_000) + action(1))
    poll(session)
    expect(broken(session.world)).toEqual([1])
    const problems = reports.filter((report) => report.startsWith('problem'))
    expect(problems).toHaveLength(6)
    expect(problems.slice(4)).toEqual([
      'problem: F, line 5, column 1: expected a value, got "nonsense". The line is left out.',
      'problem: F: 19995 more lines are left out, too.',
    ])
    appendFileSync(path, '{"do":"HostFailure","target":{"kind":"Host","count":4}}\n')
    poll(session)
    expect(reports.at(-1)).toMatch(/injected HostFailure at \S+ and 3 others, /)
  })

  test.runIf(isPosix)('that is no regular file is said once, and read once it is one', () => {
    execFileSync('mkfifo', [path])
    const session = worldWith()
    poll(session)
    poll(session)
    expect(reports).toEqual(['problem: Cannot read F: is a named pipe.'])
    rmSync(path)
    writeFileSync(path, action(1))
    poll(session)
    expect(broken(session.world)).toEqual([1])
    rmSync(path)
    symlinkSync('/dev/zero', path)
    poll(session)
    expect(reports.at(-1)).toBe('problem: Cannot read F: is a device.')
  })

  test('of more than 4 MiB is not read', () => {
    const session = worldWith()
    writeFileSync(path, ' '.repeat(4 * 2 ** 20) + action(1))
    poll(session)
    poll(session)
    expect(reports).toEqual(['problem: F is larger than 4 MiB, so it is not read: use an empty one.'])
  })

  test('with a time waits for it, and refuses one that has passed', () => {
    const session = worldWith()
    while (session.world.state.now < hour) session.world.step()
    writeFileSync(path, action(1, ',"at":"1h 1m"') + action(2, ',"at":"59m"'))
    poll(session)
    expect(broken(session.world)).toEqual([])
    expect(reports).toEqual([
      'F, line 1: HostFailure waits for 1h 1m.',
      'problem: F, line 2, column 53: "at" is in the past: expected a time after 1h, or none for now. The line is left out.',
    ])
    while (session.world.state.now <= hour + 60_000_000) session.world.step()
    expect(broken(session.world)).toEqual([1])
  })

  test('whose action finds no target says so, in the log and in an event', () => {
    const session = worldWith()
    writeFileSync(path, '{"do":"Repair","target":{"kind":"Gateway"}}\n')
    poll(session)
    expect(reports).toEqual([
      'problem: F, line 1: Repair found no Gateway that fits, at 0s of the session (0s of the world).',
    ])
    const lastAction = session.world.snapshot().events.findLast(({ kind }) => kind === 'ScenarioStep')!
    expect(messageText(lastAction.msg_key, lastAction.msg_args)).toBe(
      'Injected: Repair found no Gateway that fits.',
    )
  })

  test('answers by its line an action that was noted when the file had another path', () => {
    const answers = answersFileOf(path)
    writeFileSync(answers, '')
    const label = `${path}, line 1/a.jsonl, line 7`
    const session = worldWith({ took() {}, actions: [{ taken: 1, at: 0, label, text: action(1).trim() }] })
    poll(session)
    expect(readFileSync(answers, 'utf8')).toContain('{"place":"line 7","state":"injected","text":"line 7: ')
  })

  test('that was there before the world began has only its times carried out', () => {
    writeFileSync(path, action(1) + action(2, ',"at":"20s"') + action(3))
    const session = worldWith()
    for (let step = 0; step < 5; step++) poll(session)
    expect(broken(session.world)).toEqual([2])
    expect(reports[1]).toBe('F: 2 lines without "at" from before the start: not carried out.')
  })

  test('that an editor rewrites, or that is emptied, repeats nothing', () => {
    const session = worldWith()
    writeFileSync(path, `${action(1)}{"do":"HostFailur"}\n${action(2)}`)
    poll(session)
    writeFileSync(path, `${action(1)}${action(3)}${action(2)}`)
    poll(session)
    expect(broken(session.world)).toEqual([1, 2, 3])
    writeFileSync(path, '')
    poll(session)
    appendFileSync(path, action(4))
    poll(session)
    expect(broken(session.world)).toEqual([1, 2, 3, 4])
  })
})

test('the same actions at the same times give the same world, and none give the world without a file', () => {
  const live = worldWith()
  for (let step = 0; step < 90; step++) {
    if (step === 30) writeFileSync(path, action(1, ',"for":"5m"'))
    if (step === 60)
      appendFileSync(path, '{"do":"FanFailure","target":{"kind":"Host","pick":"random","count":2}}\n')
    poll(live)
  }
  writeFileSync(
    path,
    action(1, ',"for":"5m","at":"5m"') +
      '{"do":"FanFailure","target":{"kind":"Host","pick":"random","count":2},"at":"10m"}\n',
  )
  const planned = worldWith()
  for (let step = 0; step < 90; step++) poll(planned)
  expect(fingerprint(planned.world.snapshot())).toBe(fingerprint(live.world.snapshot()))
  rmSync(path)
  const untouched = worldWith()
  for (let step = 0; step < 90; step++) poll(untouched)
  expect(fingerprint(untouched.world.snapshot())).not.toBe(fingerprint(live.world.snapshot()))
})
