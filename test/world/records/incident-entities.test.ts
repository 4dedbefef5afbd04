import { describe, expect, test } from 'vitest'
import { causeCatalog } from '../../../src/world/simulation/faults/kinds.ts'
import type { Symptom } from '../../../src/world/simulation/incidents/model.ts'
import type { SignalName, Subject } from '../../../src/world/simulation/incidents/monitors/signals.ts'
import { causeWording, symptomWording } from '../../../src/world/simulation/incidents/wording.ts'
import { createNetworkFixture } from '../simulation/network/network-fixture.ts'

const world = createNetworkFixture('medium') as never as Parameters<typeof symptomWording>[0]
const { topology } = world

const symptomAt = (signal: SignalName, subject: Subject) =>
  symptomWording(world, { signal, subject, reading: 5 } as Symptom).args

/** The entities that the arguments of a message name by id. */
const named = (args: readonly { key: string; text: string; number: number; is_number: boolean }[]) =>
  args
    .filter(({ number, is_number: isNumber }) => number > 0 && !isNumber)
    .map(({ key, text, number }) => `${key} ${number} ${text}`)

const uplink = topology.ports.cable[topology.switches.firstPort[0]]

describe('a symptom names by id', () => {
  test.each([
    ['host-silent', { kind: 'Host', row: 3 }, [`host 4 ${topology.hosts.name[3]}`]],
    ['switch-silent', { kind: 'Switch', row: 0 }, [`switch 1 ${topology.switches.name[0]}`]],
    ['gateway-silent', { kind: 'Gateway', row: 1 }, [`gateway 2 ${topology.gateways.name[1]}`]],
    ['appliance-silent', { kind: 'Appliance', row: 2 }, [`appliance 3 ${topology.appliances.name[2]}`]],
    ['zone-hot', { kind: 'Zone', row: 1 }, [`zone 2 ${topology.zones[1].displayName}`]],
    ['feed-dead', { kind: 'PowerFeed', row: 2 }, [`zone 2 ${topology.zones[1].displayName}`]],
    ['cooling-stopped', { kind: 'CoolingUnit', row: 0 }, [`zone 1 ${topology.zones[0].displayName}`]],
    ['customer-slow', { kind: 'Customer', id: 7 }, []],
  ] as const)('%s: what it is at', (signal, subject, expected) => {
    expect(named(symptomAt(signal, subject))).toEqual(expected)
  })

  test('a link: the devices at both ends', () => {
    const cable = topology.hosts.firstPort[0]
    const nic = topology.ports.cable[cable]
    const kinds = named(symptomAt('link-down', { kind: 'Cable', row: nic })).map((text) => text.split(' ')[0])
    expect(kinds.toSorted()).toEqual(['host', 'switch'])
    expect(named(symptomAt('link-down', { kind: 'Cable', row: uplink })).length).toBeGreaterThan(0)
  })
})

test('a cause names the device of a port', () => {
  const port = topology.switches.firstPort[1]
  const { args } = causeWording({ world, catalog: causeCatalog }, 'PortFlap', { kind: 'Port', row: port })
  expect(named(args)).toEqual([`switch 2 ${topology.switches.name[1]}`])
})
