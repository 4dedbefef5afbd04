import type { Account, TenantsPart } from '../../simulation/tenants/view.ts'
import { classOf } from '../../simulation/tenants/view.ts'
import type { SegmentRecord, SubnetRecord } from '../../../contract/collections.ts'
import { SegmentSchema, SubnetSchema } from '../../../contract/records/network.ts'
import type { SubnetRoute } from '../../../contract/vocabularies.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import { recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'

interface SegmentRecords {
  readonly segments: SegmentRecord[]
  readonly subnets: SubnetRecord[]
  update(): void
}

/** First identifier of layer-2 networks, outside the range of segment identifiers. */
const firstL2Vni = 1_000_000

export function createSegmentRecords(state: RecordedWorld, part: TenantsPart): SegmentRecords {
  const segments: SegmentRecord[] = []
  const subnets: SubnetRecord[] = []
  const segmentById = new Map<number, SegmentRecord>()
  const subnetById = new Map<number, SubnetRecord>()
  let version = -1
  return {
    segments,
    subnets,
    update() {
      if (version === part.state.version) return
      version = part.state.version
      refreshSegments(state, part, segments, segmentById)
      refreshSubnets(state, part, subnets, subnetById)
    },
  }
}

const newSegment = recordFactory(SegmentSchema)
const newSubnet = recordFactory(SubnetSchema)

function refreshSegments(
  state: RecordedWorld,
  part: TenantsPart,
  records: SegmentRecord[],
  byId: Map<number, SegmentRecord>,
): void {
  const members = new Map<number, Account[]>()
  for (const account of part.state.accounts) {
    const list = members.get(account.segmentId)
    if (list === undefined) members.set(account.segmentId, [account])
    else list.push(account)
  }
  records.length = 0
  for (const entry of part.state.segments.entries) {
    const record =
      byId.get(entry.id) ??
      newSegment({
        id: entry.id,
        vni: entry.vni,
        name: entry.name,
        tier_rule: entry.tierRule,
        explicit_customer_ids: entry.customerId === null ? [] : [entry.customerId],
      })
    byId.set(entry.id, record)
    records.push(record)
    updateSegment(state, part, record, members.get(entry.id) ?? [])
  }
  forgetOthers(byId, records)
}

/** Drops the records that are no longer listed. */
function forgetOthers<R extends SegmentRecord | SubnetRecord>(
  byId: Map<number, R>,
  records: readonly R[],
): void {
  if (byId.size === records.length) return
  byId.clear()
  for (const record of records) byId.set(Number(record.id), record)
}

function updateSegment(
  { load }: RecordedWorld,
  part: TenantsPart,
  record: SegmentRecord,
  members: readonly Account[],
): void {
  const { capacity } = part.state
  const carriers = new Set<number>()
  for (const account of members) for (const host of account.hosts) carriers.add(host)
  const hosts = [...carriers].toSorted((a, b) => a - b)
  const dedicated = hosts.filter((host) => capacity.owner[host] !== 0)
  record.member_count = members.length
  record.carrier_host_ids = hosts.map(idOf)
  record.dedicated_host_ids = dedicated.map(idOf)
  record.dedicated_host_count = dedicated.length
  const sum = (amount: (host: number) => number): number =>
    dedicated.reduce((total, host) => total + amount(host), 0)
  record.dedicated_free_vcpu_milli = sum((host) => capacity.maxMilli[host] - load.allocatedMilli[host])
  record.dedicated_total_vcpu_milli = sum((host) => capacity.maxMilli[host])
  record.dedicated_free_mem_mb = sum((host) => capacity.memMb[host] - load.allocatedMemMb[host])
  record.dedicated_total_mem_mb = sum((host) => capacity.memMb[host])
  record.dedicated_free_disk_gb = sum((host) => capacity.ssdGb[host] - load.allocatedSsdGb[host])
  record.dedicated_total_disk_gb = sum((host) => capacity.ssdGb[host])
}

function refreshSubnets(
  state: RecordedWorld,
  part: TenantsPart,
  records: SubnetRecord[],
  byId: Map<number, SubnetRecord>,
): void {
  const { services } = part.state
  records.length = 0
  for (const account of part.state.accounts) {
    for (const service of account.services) {
      const id = services.serial[service]
      const record =
        byId.get(id) ??
        newSubnet({
          id,
          l2vni: firstL2Vni + id,
          vrf_id: account.segmentId,
          service: classOf(services, service),
          routes_via: routeOf(state, part, account, service),
        })
      byId.set(id, record)
      records.push(record)
      record.member_count = services.placed[service]
      updateHosts(part, record, service)
    }
  }
  records.sort((a, b) => Number(a.id) - Number(b.id))
  forgetOthers(byId, records)
}

function updateHosts(part: TenantsPart, record: SubnetRecord, service: number): void {
  const { units, capacity } = part.state
  const hosts: number[] = []
  for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
    if (!hosts.includes(units.host[unit])) hosts.push(units.host[unit])
  }
  hosts.sort((a, b) => a - b)
  const known = record.carrier_host_ids
  if (known.length !== hosts.length || hosts.some((host, i) => known[i] !== idOf(host))) {
    record.carrier_host_ids = hosts.map(idOf)
    record.dedicated_host_ids = hosts.filter((host) => capacity.owner[host] !== 0).map(idOf)
  }
}

/** Devices on the route between a subnet and other networks. */
function routeOf(state: RecordedWorld, part: TenantsPart, account: Account, service: number): SubnetRoute {
  const { services } = part.state
  const { topology } = state
  if (account.contract.airGap) return 'Isolated'
  const { appliances } = topology.zones[account.homeZone]
  const balanced = appliances.some((row) => topology.appliances.kind[row] === 'LoadBalancer')
  if (services.role[service] === 0 && balanced) return 'LoadBalancer'
  return services.role[service] === 1 || account.privateSegment || account.compliance !== null
    ? 'Firewall'
    : 'Gateway'
}
