import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SignalName, Subject } from '../../../../src/world/simulation/incidents/monitors/signals.ts'
import { portRole } from '../../../../src/world/simulation/topology/tables.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** This file is not generated: after an intended change, edit the lines that the test reports, and review them. */
const reviewed = readFileSync(new URL('suspicions.txt', import.meta.url), 'utf8')

/**
 * A small world in which a feed is dead, a cooling unit has stopped, one host of a customer is down, one drained, and a
 * neighbor under attack has all others.
 */
function troubledWorld() {
  const { state, addTenant } = createQuietWorld(1n)
  const [zone] = state.topology.zones
  const [host, stopped, drained, ...others] = zone.hosts
  state.facility.hostRunning.fill(1)
  state.facility.hostRunning[stopped] = 0
  state.facility.hostRunning[drained] = 0
  state.condition.hostMaintenance[drained] = 1
  state.condition.hostCampaigns[drained] = 1
  state.condition.coolingBroken[zone.coolingUnits[1]] = 1
  const customer = addTenant({ hosts: Int32Array.of(host, stopped, drained) })
  addTenant({ hosts: Int32Array.from(others) }).servedOutGbps = 1
  return { state, zone, host, customer: customer.id }
}

/** The subjects at which signals of these beginnings are tried. */
function subjectsOf({ state, zone, host, customer }: ReturnType<typeof troubledWorld>) {
  const { ports, hosts } = state.topology
  const uplink = ports.role.indexOf(portRole.EdgeUp)
  return {
    feed: [{ kind: 'PowerFeed', row: zone.feeds[0] }],
    cooling: [{ kind: 'CoolingUnit', row: zone.coolingUnits[0] }],
    zone: [{ kind: 'Zone', row: 0 }],
    switch: [{ kind: 'Switch', row: zone.edges[0] }],
    gateway: [{ kind: 'Gateway', row: zone.gateways[0] }],
    appliance: [{ kind: 'Appliance', row: zone.appliances[0] }],
    link: [
      { kind: 'Cable', row: ports.cable[hosts.firstPort[host]] },
      { kind: 'Cable', row: ports.cable[uplink] },
    ],
    host: [{ kind: 'Host', row: host }],
    customer: [{ kind: 'Customer', id: customer }],
  } as const satisfies Record<string, readonly Subject[]>
}

test('symptoms suggest causes as test/world/simulation/incidents/suspicions.txt has it', async () => {
  // Imported here, so that `npm run node test/mutants/main.ts` reloads the modules for each mutant.
  const { causeCatalog } = await import('../../../../src/world/simulation/faults/kinds.ts')
  const { signalNames } = await import('../../../../src/world/simulation/incidents/monitors/signals.ts')
  const { indexSuspicions, suspectsOf } = await import(
    '../../../../src/world/simulation/incidents/diagnosis/suspicion.ts'
  )
  const world = troubledWorld()
  const subjects = subjectsOf(world)
  const suspects = indexSuspicions(causeCatalog)
  const nameOf = (of: Subject): string => `${of.kind} ${'row' in of ? of.row : of.id}`
  const textOf = (signal: SignalName, subject: Subject): string => {
    const found = suspectsOf(world.state, suspects, signal, subject)
    const lines = found.map(
      ({ kind, target, weight }) => `  ${Math.round(weight * 1e6) / 1e6} ${kind} of ${nameOf(target)}\n`,
    )
    return `${signal} at ${nameOf(subject)}\n${lines.join('')}`
  }
  const texts = signalNames.flatMap((signal) =>
    subjects[signal.split('-')[0] as keyof typeof subjects].map((subject) => textOf(signal, subject)),
  )
  expect(texts.join('\n')).toBe(reviewed)
})
