import { describe, expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { parseScenario } from '../../../../src/world/scenarios/parse-scenario.ts'
import { createScenarioRunner } from '../../../../src/world/simulation/scenarios/runner.ts'
import type { Scenario } from '../../../../src/world/simulation/scenarios/scenario.ts'
import { hour, minute, second } from '../../../../src/world/simulation/time.ts'
import type { Topology } from '../../../../src/world/simulation/topology/tables.ts'
import { createQuietWorld } from '../quiet-world.ts'
import type { QuietWorld } from '../quiet-world.ts'

function scenarioOf(steps: readonly object[]): Scenario {
  const text = JSON.stringify({ name: 'a', title: 'A test', description: 'Made for a test.', steps })
  const reading = parseScenario(text)
  if ('problem' in reading) throw new Error(reading.problem.message)
  return reading.scenario
}

/** Runs the steps from the world's beginning, or from a later start, for some hours. */
function runFor(world: QuietWorld, steps: readonly object[], hours: number, start = 0): void {
  const runner = createScenarioRunner(world.state, scenarioOf(steps), start)
  runner.step()
  world.run(hours * hour, () => {
    world.state.now += 10 * second
    runner.step()
    world.state.now -= 10 * second
  })
}

const began = ({ faults }: QuietWorld) =>
  [...faults.active, ...faults.ended].map(({ kind, target, began }) => ({ kind, target, began }))

describe('steps', () => {
  test('are performed when they are due, in order', () => {
    const world = createQuietWorld(1n)
    runFor(
      world,
      [
        { at: '2h', do: 'FanFailure', target: { kind: 'Host', id: 3 } },
        { at: '1h', do: 'HostFailure', target: { kind: 'Host', id: 2 } },
      ],
      3,
    )
    expect(began(world)).toEqual([
      { kind: 'HostFailure', target: { kind: 'Host', row: 1 }, began: hour },
      { kind: 'FanFailure', target: { kind: 'Host', row: 2 }, began: 2 * hour },
    ])
    expect(
      world.state.events.state.window
        .filter(({ kind }) => kind === 'ScenarioStep')
        .map(({ msg_key }) => msg_key),
    ).toEqual(['event.scenario-step', 'event.scenario-step'])
  })

  test('on many targets emit one event', () => {
    const world = createQuietWorld(1n)
    runFor(world, [{ at: '0h', do: 'FanFailure', target: { kind: 'Host', count: 5 } }], 0)
    expect(world.faults.active).toHaveLength(5)
    const [event, ...more] = world.state.events.state.window
    expect(more).toEqual([])
    expect(messageText(event.msg_key, event.msg_args)).toBe(
      `A test: FanFailure at ${world.state.topology.hosts.name[0]} and 4 others.`,
    )
  })

  test('count from the end of the warm-up', () => {
    const world = createQuietWorld(1n)
    runFor(world, [{ at: '1h', do: 'HostFailure', target: { kind: 'Host', id: 1 } }], 4, 2 * hour)
    expect(began(world).map(({ began }) => began)).toEqual([3 * hour])
  })

  test('between two steps of the world are done at the next one', () => {
    const world = createQuietWorld(1n)
    runFor(world, [{ at: '61s', do: 'HostFailure', target: { kind: 'Host', id: 1 } }], 1)
    expect(began(world).map(({ began }) => began)).toEqual([70 * second])
  })

  test('that find nothing to aim at say so', () => {
    const world = createQuietWorld(1n)
    runFor(world, [{ at: '0h', do: 'DemandSurge', target: { kind: 'Customer' }, for: '1h' }], 1)
    expect(world.faults.active).toHaveLength(0)
    expect(world.state.events.state.window[0]).toMatchObject({
      msg_key: 'event.scenario-step-missed',
      severity: 'Warning',
    })
  })

  test('repair what is broken, and nothing else', () => {
    const world = createQuietWorld(1n)
    runFor(
      world,
      [
        { at: '0h', do: 'FanFailure', target: { kind: 'Host', id: 5 } },
        { at: '30m', do: 'Repair', target: { kind: 'Host' } },
      ],
      1,
    )
    expect(world.faults.ended).toMatchObject([{ kind: 'FanFailure', ended: 30 * minute }])
  })

  test('take hosts out of service for a time', () => {
    const world = createQuietWorld(1n)
    const out: number[] = []
    const runner = createScenarioRunner(
      world.state,
      scenarioOf([{ at: '10m', do: 'Drain', target: { kind: 'Host', id: 4 }, for: '30m' }]),
      0,
    )
    world.run(hour, () => {
      runner.step()
      out.push(world.state.condition.hostMaintenance[3])
    })
    expect(out.indexOf(1)).toBe(60)
    expect(out.lastIndexOf(1)).toBe(239)
  })

  test('make attacks as strong as the magnitude times what stands in their way', () => {
    const world = createQuietWorld(1n)
    world.addTenant()
    const { gateways } = world.state.topology.zones[0]
    world.state.threats.gatewayCapacity.fill(0)
    for (const gateway of gateways) world.state.threats.gatewayCapacity[gateway * 5] = 20
    world.state.threats.applianceCapacity.fill(0)
    const attack = { do: 'Attack', class: 'Volumetric', magnitude: 1.5, for: '1h' }
    runFor(world, [{ at: '0h', ...attack, target: { kind: 'Customer' } }], 0)
    expect(world.faults.active).toMatchObject([
      { kind: 'Attack', magnitude: 30 * gateways.length, attack: { class: 'Volumetric', customerId: 1 } },
    ])
  })
})

describe('a target', () => {
  const chosen = (target: object, action: string, prepare: (world: QuietWorld) => void = () => {}) => {
    const world = createQuietWorld(2n)
    prepare(world)
    runFor(world, [{ at: '0h', do: action, target }], 0)
    return { topology: world.state.topology, targets: world.faults.active.map(({ target }) => target) }
  }

  test.each<[string, object, string, (topology: Topology) => number]>([
    ['the first of its kind where nothing is said', { kind: 'Host' }, 'HostFailure', () => 0],
    ['the third', { kind: 'Host', pick: 3 }, 'HostFailure', () => 2],
    [
      'the one of a zone',
      { kind: 'Switch', zone: 2, role: 'core' },
      'SwitchFailure',
      ({ zones }) => zones[1].cores[0],
    ],
    [
      'the feed of a side',
      { kind: 'PowerFeed', zone: 2, side: 'B' },
      'PowerFeedLoss',
      ({ zones }) => zones[1].feeds[1],
    ],
  ])('is %s', (_, target, action, rowOf) => {
    const { topology, targets } = chosen(target, action)
    expect(targets).toEqual([{ kind: (target as { kind: string }).kind, row: rowOf(topology) }])
  })

  test('is the busiest', () => {
    const { targets } = chosen({ kind: 'Host', pick: 'busiest', count: 2 }, 'HostFailure', ({ state }) => {
      state.load.cpuUsedMilli[7] = 9_000
      state.load.cpuUsedMilli[3] = 8_000
    })
    expect(targets).toEqual([
      { kind: 'Host', row: 7 },
      { kind: 'Host', row: 3 },
    ])
  })

  test('is a share of all', () => {
    const { topology, targets } = chosen({ kind: 'Host', pick: 'random', share: 0.25 }, 'HostFailure')
    expect(targets).toHaveLength(topology.hosts.count / 4)
    expect(new Set(targets.map((target) => ('row' in target ? target.row : -1))).size).toBe(targets.length)
  })

  test('is a customer of a tier', () => {
    const world = createQuietWorld(2n)
    world.addTenant()
    world.addTenant({ tier: 'Gold' })
    runFor(world, [{ at: '0h', do: 'DemandSurge', target: { kind: 'Customer', tier: 'Gold' }, for: '1h' }], 0)
    expect(world.faults.active.map(({ target }) => target)).toEqual([{ kind: 'Customer', id: 2 }])
  })

  test('is a cable by what it leads to', () => {
    const { topology, targets } = chosen({ kind: 'Cable', role: 'wan' }, 'CableCut')
    const [target] = targets
    const kind = target?.kind === 'Cable' ? topology.cables.kind[target.row] : -1
    expect(kind).toBe(4)
  })
})
