import { expect, test } from 'vitest'
import { requirementBits } from '../../../../../src/contract/records/customers.ts'
import { applianceFunctions } from '../../../../../src/contract/vocabularies.ts'
import type { Account } from '../../../../../src/world/simulation/tenants/account.ts'
import type { Contract } from '../../../../../src/world/simulation/tenants/contract.ts'
import { updateUnmetRequirements } from '../../../../../src/world/simulation/tenants/demand/requirements.ts'
import { createTenantsFixture } from '../tenants-fixture.ts'

type Fixture = ReturnType<typeof createTenantsFixture>
const bit = (name: (typeof applianceFunctions)[number]): number => 1 << applianceFunctions.indexOf(name)

/** Unmet requirements of a customer on hosts of both zones of a small world, where all appliances inspect and log. */
function unmetRequirements(
  contract: Partial<Contract>,
  change: (fixture: Fixture, account: Account, row: number) => void = () => {},
) {
  const fixture = createTenantsFixture('small')
  const { context, world, state, addCustomer, addService } = fixture
  const { topology } = world
  world.network.hostConnected.fill(1)
  world.facility.applianceUp.fill(1)
  for (let row = 0; row < topology.appliances.count; row++)
    topology.appliances.functionsEnabled[row] = bit('StatefulFirewall') | bit('AuditLog')
  const [first, second] = topology.zones.map(({ hosts }) => hosts[0])
  const account = addCustomer({ hosts: Int32Array.of(first, second) }, contract)
  state.capacity.owner.fill(account.id)
  const row = addService(account, { slices: 1 }, [first, second])
  change(fixture, account, row)
  updateUnmetRequirements(context, account)
  return requirementBits.filter((_, at) => (account.requirementsUnmet & (1 << at)) !== 0)
}

/** Sets the functions of a zone's appliances, and whether they are up. */
const limit =
  (zone: number, functions: number, up = 1) =>
  ({ world }: Fixture): void => {
    const { firewalls, appliances } = world.topology.zones[zone]
    for (const row of [...firewalls, ...appliances]) {
      world.topology.appliances.functionsEnabled[row] = functions
      world.facility.applianceUp[row] = up
    }
  }

const everything = {
  compliance: 'HIPAA',
  multiZone: true,
  auditLogs: true,
  airGap: true,
  dedicatedHosts: true,
  uncontended: true,
  faultIsolation: true,
} as const

test.each<[string, Partial<Contract>, Parameters<typeof unmetRequirements>[1], readonly string[]]>([
  ['nothing, of all that it may require', everything, () => {}, []],
  [
    'nothing before it is live',
    { ...everything, privateSegment: true },
    (_, account) => void (account.live = false),
    [],
  ],
  ['a firewall in the second zone', everything, limit(1, bit('AuditLog')), ['compliance_required']],
  [
    'a firewall that works',
    everything,
    limit(0, bit('StatefulFirewall') | bit('AuditLog'), 0),
    ['compliance_required', 'demands_audit_logs'],
  ],
  ['audit logs', everything, limit(0, bit('StatefulFirewall')), ['demands_audit_logs']],
  [
    'nothing in a zone without its units',
    everything,
    (fixture, account) => {
      limit(1, 0)(fixture)
      account.hosts = account.hosts.subarray(0, 1)
      Object.assign(account.contract, { multiZone: false })
    },
    [],
  ],
  ['no firewall that it does not require', { auditLogs: true }, limit(0, bit('AuditLog')), []],
  [
    'a second zone',
    everything,
    (_, account) => void (account.hosts = account.hosts.subarray(0, 1)),
    ['requires_multi_az'],
  ],
  [
    'a second zone that is connected',
    everything,
    ({ world }, { hosts }) => void (world.network.hostConnected[hosts[1]] = 0),
    ['requires_multi_az'],
  ],
  [
    'any zone that is connected',
    { multiZone: true },
    ({ world }) => void world.network.hostConnected.fill(0),
    ['requires_multi_az'],
  ],
  [
    'a private segment',
    { privateSegment: true },
    () => {},
    ['compliance_required', 'requires_private_segment'],
  ],
  [
    'no segment that it has',
    { privateSegment: true, compliance: 'HIPAA' },
    (_, account) => Object.assign(account, { privateSegment: true }),
    [],
  ],
  [
    'hosts of its own',
    { dedicatedHosts: true },
    ({ state }, { hosts }) => void (state.capacity.owner[hosts[1]] = 0),
    ['requires_dedicated_hosts'],
  ],
  [
    'an air gap',
    { airGap: true },
    ({ state }, { hosts }) => void (state.capacity.owner[hosts[1]] = 9),
    ['demands_air_gap'],
  ],
  ['a GPU', {}, ({ state }, _, row) => void (state.services.serving[row] = 0), ['requires_gpu']],
  [
    'no GPU of a service without slices',
    {},
    ({ state }, _, row) => {
      state.services.serving[row] = 0
      state.services.slices[row] = 0
    },
    [],
  ],
  [
    'a host without contention',
    { uncontended: true },
    ({ world }, { hosts }) => void (world.load.contention[hosts[1]] = 0.91),
    ['requires_uncontended'],
  ],
  [
    'none at a contention of 0.9',
    { uncontended: true },
    ({ world }, { hosts }) => void (world.load.contention[hosts[1]] = 0.9),
    [],
  ],
  [
    'isolation of faults',
    { faultIsolation: true },
    ({ state }, _, row) => void (state.services.spreadKept[row] = 0),
    ['requires_fault_isolation'],
  ],
])('a customer lacks %s', (_, contract, change, unmet) => {
  expect(unmetRequirements(contract, change).toSorted()).toEqual([...unmet].toSorted())
})
