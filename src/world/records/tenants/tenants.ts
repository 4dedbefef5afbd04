import type {
  CustomerRecord,
  HostPoolRecord,
  HostRecord,
  PortRecord,
  ProspectRecord,
  SegmentRecord,
  SubnetRecord,
} from '../../../contract/collections.ts'
import type { TenantsPart } from '../../simulation/tenants/tenants.ts'
import type { RecordedWorld } from '../world.ts'
import { createCustomerRecordList } from './customers.ts'
import { createHostRecords } from '../equipment/hosts.ts'
import { createPoolRecords } from './host-pools.ts'
import { createProspectRecords } from './prospects.ts'
import { createSegmentRecords } from './segments.ts'

/** Records of customers, their networks, and the hosts that serve them. Lists and records stay the same objects. */
export interface CustomerRecords {
  readonly customers: CustomerRecord[]
  readonly prospects: ProspectRecord[]
  readonly hostPools: HostPoolRecord[]
  readonly hosts: HostRecord[]
  readonly segments: SegmentRecord[]
  readonly subnets: SubnetRecord[]
  /** Updates all records. Port records must be up to date. */
  update(): void
}

export function createTenantRecords(
  state: RecordedWorld,
  part: TenantsPart,
  hostPorts: (row: number) => PortRecord[],
): CustomerRecords {
  const customers = createCustomerRecordList(state, part)
  const prospects = createProspectRecords(state.topology, part)
  const hostPools = createPoolRecords(state, part)
  const hosts = createHostRecords(state, part, hostPorts)
  const segments = createSegmentRecords(state, part)
  return {
    customers: customers.records,
    prospects: prospects.records,
    hostPools: hostPools.records,
    hosts: hosts.records,
    segments: segments.segments,
    subnets: segments.subnets,
    update() {
      hosts.update()
      hostPools.update()
      customers.update()
      prospects.update()
      segments.update()
    },
  }
}
