import type { CustomerServiceRecord } from '../../../contract/collections.ts'
import { CustomerServiceSchema } from '../../../contract/records/customers.ts'
import type { Durability, replicationTags, ServiceReasonTag } from '../../../contract/vocabularies.ts'
import type { Account, TenantsPart } from '../../simulation/tenants/view.ts'
import {
  classOf,
  classTraits,
  durabilityOf,
  replicasPromised,
  starvedMin,
} from '../../simulation/tenants/view.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import { recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'

const replicationTag: Readonly<Record<Durability, (typeof replicationTags)[number]>> = {
  Ephemeral: 'none',
  Single: 'none',
  Replicated2: 'async',
  Replicated3: 'sync',
  ErasureCoded: 'erasure',
}

/** A service counts as degraded below this success ratio. */
const healthyShareMin = 0.999

const newService = recordFactory(CustomerServiceSchema)

export function createServiceRecord(
  part: TenantsPart,
  account: Account,
  service: number,
): CustomerServiceRecord {
  const { services } = part.state
  const name = classOf(services, service)
  const durability = durabilityOf(services, service)
  const { requiredRegion } = account.contract
  return newService({
    class_tag: name,
    label: classTraits[name].label,
    vcpu: services.vcpuMilli[service] / 1000,
    memory_mb: services.memMb[service],
    accelerator: classTraits[name].accelerator,
    durability,
    region_id: requiredRegion === null ? null : idOf(requiredRegion),
    replication_tag: replicationTag[durability],
    replicas_target: replicasPromised[durability],
  })
}

const stateOfTag = {
  running: 'Running',
  partial: 'Partial',
  degraded: 'Degraded',
  placing: 'Placing',
  down: 'Down',
} as const

export function updateServiceRecord(
  state: RecordedWorld,
  part: TenantsPart,
  account: Account,
  service: number,
  record: CustomerServiceRecord,
): void {
  const { services } = part.state
  const gap = Math.max(0, services.requested[service] - services.placed[service])
  record.requested_count = services.requested[service]
  record.provisioned_count = services.placed[service]
  record.gap = gap
  record.replicas_held = services.replicasHeld[service]
  const tag = stateTag(part, account, service, gap)
  const lack = gap > 0 ? services.unplacedReason[service] : null
  record.state_tag = tag
  record.state = stateOfTag[tag]
  record.reason_tag = tag === 'running' ? null : reasonTag(state, part, account, service, gap)
  record.reason = record.reason_tag === null ? null : reasonText(part, service, record.reason_tag)
  record.placement = lack
}

function stateTag(
  part: TenantsPart,
  account: Account,
  service: number,
  gap: number,
): keyof typeof stateOfTag {
  const { services } = part.state
  if (!account.live) return 'placing'
  if (services.serving[service] === 0) return 'down'
  if (gap > 0 || services.stranded[service] > 0) return 'partial'
  const missing = services.replicasHeld[service] < replicasPromised[durabilityOf(services, service)]
  const crowded = services.contention[service] >= starvedMin
  const hurt =
    services.successRatio[service] < healthyShareMin || account.breached || account.attackClass !== null
  return hurt ||
    missing ||
    crowded ||
    failsUsers(part, account, service) ||
    services.spreadKept[service] === 0
    ? 'degraded'
    : 'running'
}

/** Whether requests of users to a service fail, be it by what is behind it or by a mistake of the customer's own. */
const failsUsers = ({ state: { services } }: TenantsPart, { failing }: Account, service: number): boolean =>
  services.userFacing[service] === 1 && failing > 1 - healthyShareMin

function reasonTag(
  state: RecordedWorld,
  part: TenantsPart,
  account: Account,
  service: number,
  gap: number,
): ServiceReasonTag | null {
  const { services } = part.state
  if (services.stranded[service] > 0) return whyStranded(state, part, service)
  const lack = services.unplacedReason[service]
  if (gap > 0 && lack) return lack.code
  if (!account.live) return 'onboarding'
  if (account.breached) return 'breached'
  if (account.attackClass !== null) return 'under_attack'
  if (services.contention[service] >= starvedMin || services.load[service] >= 1) return 'host_contended'
  if (services.successRatio[service] < healthyShareMin) return whyUnanswered(state, part, service)
  if (services.spreadKept[service] === 0) return 'no_fault_isolation'
  const isMissing = services.replicasHeld[service] < replicasPromised[durabilityOf(services, service)]
  return isMissing || !failsUsers(part, account, service) ? 'host_failed' : null
}

/** The cause of lost requests: the network, a failover, or an overloaded host. */
function whyUnanswered(
  { network, tick }: RecordedWorld,
  part: TenantsPart,
  service: number,
): ServiceReasonTag {
  const { services, servingHosts } = part.state
  const first = services.firstServing[service]
  const hosts = servingHosts.slice(first, first + services.serving[service])
  if (hosts.some((host) => network.hostDeliveredIn[host] * network.hostDeliveredOut[host] < healthyShareMin))
    return 'traffic_lost'
  return tick <= services.failoverUntil[service] ? 'host_failed' : 'host_contended'
}

/** The cause of stranded units, by the first of them: its host is off or unreachable. */
function whyStranded(state: RecordedWorld, part: TenantsPart, service: number): ServiceReasonTag {
  const { units } = part.state
  for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
    if (units.downSince[unit] === -1) continue
    return state.facility.hostRunning[units.host[unit]] === 0 ? 'host_failed' : 'network_unreachable'
  }
  return 'host_failed'
}

const reasonTexts: Readonly<Record<ServiceReasonTag, string>> = {
  no_host_online: 'No host that could take it is in service.',
  no_vcpu: 'No host has enough CPU left to promise.',
  no_memory: 'No host has enough memory left.',
  no_disk: 'No host has enough disk left.',
  no_iops: 'No host has enough disk operations left.',
  no_gpu: 'No host has enough GPU slices left.',
  no_arch: 'No host has the processor that it needs.',
  no_region: 'No host of its kind stands in its region.',
  no_dedicated_host: 'No empty host is left to dedicate.',
  no_uncontended_host: 'No host could keep it free of contention.',
  no_fault_isolation: 'Its units do not spread over enough racks.',
  no_second_zone: 'No second zone has room.',
  no_segment: 'No host can carry one more private segment.',
  host_failed: 'A host that carries it is out of service.',
  network_unreachable: 'The network does not reach a host that carries it.',
  traffic_lost: 'Part of its traffic is lost on the way.',
  host_contended: 'Its units get less CPU than they want.',
  under_attack: 'Hostile traffic gets through to it.',
  breached: 'Intruders are inside.',
  onboarding: 'It is being set up.',
}

const reasonText = (part: TenantsPart, service: number, tag: ServiceReasonTag): string => {
  const lack = part.state.services.unplacedReason[service]
  const text = reasonTexts[tag]
  return lack && lack.code === tag ? `${text.slice(0, -1)} (${lack.subject}).` : text
}
