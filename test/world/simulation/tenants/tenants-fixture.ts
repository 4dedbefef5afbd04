import { durabilities } from '../../../../src/contract/vocabularies.ts'
import type { Durability, ServiceClass } from '../../../../src/contract/vocabularies.ts'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { createAccount } from '../../../../src/world/simulation/tenants/account.ts'
import type { Account } from '../../../../src/world/simulation/tenants/account.ts'
import { createTenantContext } from '../../../../src/world/simulation/tenants/context.ts'
import type { TenantContext } from '../../../../src/world/simulation/tenants/context.ts'
import type { Contract, ServiceTerms } from '../../../../src/world/simulation/tenants/contract.ts'
import { classIndex, roles } from '../../../../src/world/simulation/tenants/demand/service-classes.ts'
import type { roleIndex } from '../../../../src/world/simulation/tenants/demand/service-classes.ts'
import { takeServiceRow } from '../../../../src/world/simulation/tenants/service-table.ts'
import type { ServiceTable } from '../../../../src/world/simulation/tenants/service-table.ts'
import { createTenantsState } from '../../../../src/world/simulation/tenants/state.ts'
import type { TenantsState } from '../../../../src/world/simulation/tenants/state.ts'
import { addUnit } from '../../../../src/world/simulation/tenants/unit-table.ts'
import type { MutableWorld } from '../../../../src/world/simulation/step.ts'
import type { ScaleName } from '../../../../src/world/simulation/topology/sizing.ts'
import { FixedStream } from '../fixed-stream.ts'
import { createQuietWorld } from '../quiet-world.ts'

export const webTerms: ServiceTerms = {
  class: 'web',
  count: 4,
  vcpu: 16,
  memMb: 32_768,
  ssdGb: 500,
  iops: 1_000,
  slices: 0,
  durability: 'Ephemeral',
}

/** A contract without requirements; tests override the fields under test. */
export const plainContract: Contract = {
  name: 'Amber Mill Shoes',
  archetype: 'Shop',
  kindLabel: 'Online shop',
  tier: 'Silver',
  compliance: null,
  requiredArch: null,
  requiredRegion: null,
  multiZone: false,
  privateSegment: false,
  auditLogs: false,
  airGap: false,
  dedicatedHosts: false,
  uncontended: false,
  faultIsolation: false,
  growthCeiling: 10,
  services: [webTerms],
}

/** A live customer without services and without a world. */
export function customer(changes: Partial<Account> = {}, contract: Partial<Contract> = {}): Account {
  const account = createAccount({
    id: 1,
    contract: { ...plainContract, ...contract },
    homeRegion: 0,
    homeZone: 0,
    segmentId: 1,
    privateSegment: false,
    signed: 0,
    seasonPhase: 0,
    temper: 1,
    p99BudgetMs: 100,
  })
  return Object.assign(account, { lifecycle: 'Active', live: true }, changes)
}

type Column = {
  [Key in keyof ServiceTable]: ServiceTable[Key] extends Int32Array | Float64Array ? Key : never
}[keyof ServiceTable]

type ServiceRow = Partial<Record<Exclude<Column, 'class' | 'role' | 'durability'>, number>> & {
  readonly class?: ServiceClass
  readonly role?: keyof typeof roleIndex
  readonly durability?: Durability
}

/** A world without random events, and its tenants' state, which tests modify. */
interface TenantsFixture {
  readonly world: MutableWorld
  readonly context: TenantContext
  readonly state: TenantsState
  /** Adds a customer without services. */
  readonly addCustomer: (changes?: Partial<Account>, contract?: Partial<Contract>) => Account
  /** Adds a service, by default a web front end with one virtual CPU a unit, whose units serve on the given hosts. */
  readonly addService: (account: Account, row: ServiceRow, hosts?: readonly number[]) => number
  /** Texts of all events since the last call. */
  readonly takeEvents: () => string[]
}

/** Makes every further random draw of the world this fraction. */
export function drawAlways(world: MutableWorld, fraction: number): void {
  world.random.stream = () => new FixedStream(fraction)
}

export function createTenantsFixture(scale: number | ScaleName = 2): TenantsFixture {
  const { state: world } = createQuietWorld(1n, scale)
  const state = createTenantsState(world.topology, world.load, world.money)
  const { services, units } = state
  const context = createTenantContext(world, state)
  let reportedCount = 0
  return {
    world,
    context,
    state,
    addCustomer(changes, contract) {
      const account = customer({ id: ++state.lastCustomerId, ...changes }, contract)
      state.accounts.push(account)
      state.byId.set(account.id, account)
      return account
    },
    addService(
      account,
      { class: name = 'web', role = 'front', durability = 'Ephemeral', ...columns },
      hosts = [],
    ) {
      const row = takeServiceRow(services)
      services.customer[row] = account.id
      services.class[row] = classIndex[name]
      services.role[row] = roles.indexOf(role)
      services.userFacing[row] = role === 'behind' ? 0 : 1
      services.durability[row] = durabilities.indexOf(durability)
      services.vcpuMilli[row] = 1_000
      services.spreadKept[row] = 1
      services.requested[row] = hosts.length
      services.placed[row] = hosts.length
      services.serving[row] = hosts.length
      services.firstServing[row] = units.count
      const servingHosts = Int32Array.of(...state.servingHosts, ...hosts)
      state.servingHosts = servingHosts
      for (const host of hosts) addUnit(units, row, host)
      for (const [name, value] of Object.entries(columns)) services[name as Column][row] = value
      account.services.push(row)
      return row
    },
    takeEvents() {
      const { window } = world.events.state
      const texts = window.slice(reportedCount).map(({ msg_key, msg_args }) => messageText(msg_key, msg_args))
      reportedCount = window.length
      return texts
    },
  }
}
