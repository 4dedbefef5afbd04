import { describe, expect, test } from 'vitest'
import { actionLineOf } from '../../../../src/world/scenarios/action-words.ts'
import { parseActionLine } from '../../../../src/world/scenarios/action-line.ts'
import { createWorld } from '../../../../src/world/simulation/world.ts'
import type { RunningWorld } from '../../../../src/world/simulation/world.ts'
import { shippedScenario } from '../../../../src/world/scenarios/shipped.ts'
import type { ActionOutcome } from '../../../../src/world/simulation/scenarios/injected-actions.ts'
import { hour, timeOfDay } from '../../../../src/world/simulation/time.ts'

/** A blind world at ten o'clock, without any fault but those of a test. */
function blindWorld(): RunningWorld {
  const scenario = shippedScenario('quiet-week')
  const world = createWorld({ seed: 5n, scale: 'small', warmUp: 10 * hour, scenario, blind: true })
  world.parts.faults.randomFaultRate = 0
  while (world.state.now < 10 * hour) world.step()
  return world
}

/** Orders in words, or injects, and runs for some hours; returns what was found. */
const ordered = (world: RunningWorld, words: string, hours: number): readonly string[] =>
  outcomeOf(world, words, hours).targets

function outcomeOf(
  world: RunningWorld,
  words: string,
  hours: number,
): Pick<ActionOutcome, 'targets' | 'existing'> {
  const line = actionLineOf(words)
  if ('problem' in line) throw new Error(line.problem)
  const parsed = parseActionLine(line.json)
  if ('problem' in parsed) throw new Error(parsed.problem.message)
  let outcome: Pick<ActionOutcome, 'targets' | 'existing'> = { targets: [], existing: null }
  world.injected.onCarriedOut = (done) => (outcome = done)
  world.injected.inject({ action: parsed.line.action, at: world.state.now, label: '' })
  world.step()
  const until = world.state.now + hours * hour
  while (world.state.now < until) world.step()
  return outcome
}

describe('in a blind world', () => {
  const world = blindWorld()
  const { faults } = world.parts
  const edge = world.state.topology.switches.role.indexOf('edge')
  const name = world.state.topology.switches.name[edge]
  const fault = faults.inject({
    kind: 'SwitchFailure',
    target: { kind: 'Switch', row: edge },
    magnitude: 1,
    lasts: null,
  })

  test('a wrong repair takes its time and repairs nothing, and operators do nothing by themselves', () => {
    expect(ordered(world, `roll back firmware ${name.toUpperCase()}`, 2)).toEqual([name])
    const [order] = world.parts.operations.state.finished.slice(-1)
    const [about] = world.parts.incidents.state.open.values()
    expect(order).toMatchObject({ label: `Roll back the firmware of ${name}`, incidentId: about.id })
    expect(fault.ended).toBe(null)
    expect(about.workOrderIds).toEqual([order.id])
  })

  test('the right one repairs it when its work is done, and is not ordered twice at a time', () => {
    const at = timeOfDay(world.state.now).slice(0, 5)
    expect(ordered(world, `replace switch ${name}`, 0.05)).toEqual([name])
    const [about] = world.parts.incidents.state.open.values()
    expect(about.timeline.findLast(({ kind }) => kind === 'WorkStarted')?.detail).toMatch(
      new RegExp(`^[A-Z]\\w+ [A-Z]\\. started: Replace ${name}\\. On site at about 1[23]:\\d\\d\\.$`),
    )
    expect(outcomeOf(world, `replace switch ${name}`, 3)).toMatchObject({
      targets: [],
      existing: `"Replace ${name}", ordered at ${at}`,
    })
    const [order] = world.parts.operations.state.finished.slice(-1)
    expect(order.label).toBe(`Replace ${name}`)
    expect(fault.ended).toBe(order.resolved)
    expect(fault.ended! - order.ordered).toBeGreaterThan(hour / 2)
  })

  test('a feed is named as dashboards name it, or in full', () => {
    const { displayName } = world.state.topology.zones[0]
    for (const words of [`feed B of ${displayName}`, `power feed A of ${displayName}`])
      expect(ordered(world, `restore feed ${words}`, 0)).toEqual([`power ${words.replace('power ', '')}`])
  })

  test('a breaker that tripped is reset on site, and an order stays with its incident beside a graver one', () => {
    const feed = `power feed A of ${world.state.topology.zones[1].displayName}`
    expect(ordered(world, `PowerFeedLoss ${feed.replace('power ', '')} magnitude 1.05`, 0.2)).toEqual([feed])
    expect(ordered(world, `restore feed ${feed}`, 0)).toEqual([feed])
    const order = world.parts.operations.dispatcher.open.at(-1)!
    expect(order.label).toBe(`Restore ${feed}`)
    expect(order.steps.some(({ needs }) => needs?.kind === 'Vendor')).toBe(false)
    const { open } = world.parts.incidents.state
    expect(open.get(order.incidentId!)?.headline.text).toBe(`There is no voltage on ${feed}.`)
    for (let step = 0; step < 700; step++) world.step()
    expect(order.steps.at(-1)?.ended).not.toBe(null)
  })

  test('a repair of something that is not there is not ordered', () => {
    expect(ordered(world, 'replace switch tfd-z-edge99', 0)).toEqual([])
  })

  test('the end of a drain returns a host, also an empty one', () => {
    const row = world.state.topology.hosts.rows.find((host) => world.state.load.unitCount[host] === 0)!
    const host = world.state.topology.hosts.name[row]
    faults.setCampaign(row, true)
    expect(world.state.condition.hostCampaigns[row]).toBe(1)
    expect(ordered(world, `end drain ${host}`, 1)).toEqual([host])
    expect(world.state.condition.hostCampaigns[row]).toBe(0)
  })

  test('what breaks stays broken until its repair, even with a time, and demand ends at its own', () => {
    const customer = world.state.tenants.active.find(({ hosts }) => hosts.length > 0)!.name
    for (const words of [
      `ExpiredCertificate ${customer} for 10m`,
      `DnsError ${customer} for 10m`,
      `FailedRelease ${customer} for 10m`,
      `DemandSurge ${customer} for 10m`,
    ])
      expect(ordered(world, words, 0.01)).toEqual([customer])
    const lasting = (): string[] =>
      faults.active.flatMap(({ kind, target }) => (target.kind === 'Customer' ? [kind] : []))
    expect(ordered(world, `renew certificate ${customer}`, 1)).toEqual([customer])
    expect(lasting()).toEqual(['DnsError', 'FailedRelease'])
    const random = faults.inject({
      kind: 'CarrierOutage',
      target: { kind: 'Cable', row: 0 },
      magnitude: 1,
      lasts: hour,
    })
    expect(random.endsBy).toBe(null)
  })
})
