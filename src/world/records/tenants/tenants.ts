import type { Collections, PortRecord } from '../../../contract/collections.ts'
import type { TenantsPart } from '../../simulation/tenants/view.ts'
import type { RecordedWorld } from '../world.ts'
import { recordsOf } from '../record-list.ts'
import { createCustomerRecordList } from './customers.ts'
import { createHostRecords } from '../equipment/hosts.ts'
import { createPoolRecords } from './host-pools.ts'
import { createProspectRecords } from './prospects.ts'
import { createSegmentRecords } from './segments.ts'

/** Records of customers, their networks, and the hosts that serve them. Lists and records stay the same objects. */
interface TenantRecords
  extends Pick<Collections, 'customers' | 'prospects' | 'hostPools' | 'hosts' | 'segments' | 'subnets'> {
  /** Updates all records. Port records must be up to date. */
  readonly update: () => void
}

export function createTenantRecords(
  state: RecordedWorld,
  part: TenantsPart,
  hostPorts: (row: number) => PortRecord[],
): TenantRecords {
  const lists = {
    hosts: createHostRecords(state, part, hostPorts),
    hostPools: createPoolRecords(state, part),
    customers: createCustomerRecordList(state, part),
    prospects: createProspectRecords(state.topology, part),
  }
  const segments = createSegmentRecords(state, part)
  return {
    ...recordsOf(lists),
    segments: segments.segments,
    subnets: segments.subnets,
    update() {
      for (const list of Object.values(lists)) list.update()
      segments.update()
    },
  }
}
