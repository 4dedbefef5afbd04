import type {
  CustomerRecord,
  HostPoolRecord,
  HostRecord,
  PortRecord,
  ProspectRecord,
  SegmentRecord,
  SubnetRecord,
} from '../../contract/collections.ts'
import type { CustomersPart } from '../customers/customers.ts'
import type { WorldState } from '../state.ts'
import { createCustomerRecordList } from './customers.ts'
import { createHostRecords } from './hosts.ts'
import { createPoolRecords } from './pools.ts'
import { createProspectRecords } from './prospects.ts'
import { createSegmentRecords } from './segments.ts'

/** Records of customers and of what carries them. Lists and records stay the same objects. */
export interface CustomerRecords {
  readonly customers: CustomerRecord[]
  readonly prospects: ProspectRecord[]
  readonly hostPools: HostPoolRecord[]
  readonly hosts: HostRecord[]
  readonly segments: SegmentRecord[]
  readonly subnets: SubnetRecord[]
  /** Brings all records to the present state of the world; ports come first. */
  update(): void
}

export function createCustomerRecords(
  state: WorldState,
  part: CustomersPart,
  hostPorts: (row: number) => PortRecord[],
): CustomerRecords {
  const customers = createCustomerRecordList(state, part)
  const prospects = createProspectRecords(state.plant, part)
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
