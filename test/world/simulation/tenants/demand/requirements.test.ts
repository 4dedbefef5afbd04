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

type Change = Parameters<typeof unmetRequirements>[1]
const inspecting = bit('StatefulFirewall') | bit('AuditLog')
const isolated: Change = (_, account) => void (account.hosts = account.hosts.subarray(0, 1))
const cutOff: Change = ({ world }, { hosts }) => void (world.network.hostConnected[hosts[1]] = 0)
const isContended =
  (contention: number): Change =>
  ({ world }, { hosts }) =>
    void (world.load.contention[hosts[1]] = contention)
const owned =
  (owner: number): Change =>
  ({ state }, { hosts }) =>
    void (state.capacity.owner[hosts[1]] = owner)

test.each<[unmet: string, contract: Partial<Contract>, change?: Change]>([
  ['', everything],
  ['', { ...everything, privateSegment: true }, (_, account) => void (account.live = false)],
  ['compliance_required', everything, limit(1, bit('AuditLog'))],
  ['compliance_required demands_audit_logs', everything, limit(0, inspecting, 0)],
  ['demands_audit_logs', everything, limit(0, bit('StatefulFirewall'))],
  // A zone without units of the customer needs none.
  [
    '',
    everything,
    (fixture, account, row) => {
      limit(1, 0)(fixture)
      isolated(fixture, account, row)
      Object.assign(account.contract, { multiZone: false })
    },
  ],
  ['', { auditLogs: true }, limit(0, bit('AuditLog'))],
  ['requires_multi_az', everything, isolated],
  ['requires_multi_az', everything, cutOff],
  ['requires_multi_az', { multiZone: true }, ({ world }) => void world.network.hostConnected.fill(0)],
  ['compliance_required requires_private_segment', { privateSegment: true }],
  [
    '',
    { privateSegment: true, compliance: 'HIPAA' },
    (_, one) => Object.assign(one, { privateSegment: true }),
  ],
  ['requires_dedicated_hosts', { dedicatedHosts: true }, owned(0)],
  ['demands_air_gap', { airGap: true }, owned(9)],
  ['requires_gpu', {}, ({ state }, _, row) => void (state.services.serving[row] = 0)],
  ['', {}, ({ state: { services } }, _, row) => void (services.serving[row] = services.slices[row] = 0)],
  ['requires_uncontended', { uncontended: true }, isContended(0.91)],
  ['', { uncontended: true }, isContended(0.9)],
  [
    'requires_fault_isolation',
    { faultIsolation: true },
    ({ state }, _, row) => void (state.services.spreadKept[row] = 0),
  ],
])('unmet is "%s" of %j', (unmet, contract, change) => {
  expect(unmetRequirements(contract, change).toSorted().join(' ')).toBe(unmet)
})
