import type { CustomerRecord } from '../../../contract/collections.ts'
import { CustomerSchema, ServiceMarginSchema } from '../../../contract/records/customers.ts'
import { latencyTerms } from '../../../contract/vocabularies.ts'
import type { Account, Contract, TenantsPart } from '../../simulation/tenants/view.ts'
import {
  availabilityOf,
  countRequests,
  evictionFee,
  periodP99,
  satisfactionLabel,
} from '../../simulation/tenants/view.ts'
import { attackClassOn } from '../../simulation/network/view.ts'
import { round } from '../../simulation/numeric.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import type { RecordList } from '../record-list.ts'
import { recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'
import { second, toNs } from '../../simulation/time.ts'
import { createServiceRecord, updateServiceRecord } from './customer-services.ts'

/** Ascending by id. */
export function createCustomerRecordList(
  state: RecordedWorld,
  part: TenantsPart,
): RecordList<CustomerRecord> {
  const records: CustomerRecord[] = []
  const byId = new Map<number, CustomerRecord>()
  let listed: readonly Account[] = []

  const addRecord = (accounts: readonly Account[]): void => {
    listed = accounts
    const present = new Set(accounts.map(({ id }) => id))
    for (const id of byId.keys()) if (!present.has(id)) byId.delete(id)
    records.length = 0
    for (const account of accounts) {
      const record = byId.get(account.id) ?? createCustomer(part, account)
      byId.set(account.id, record)
      records.push(record)
    }
  }

  return {
    records,
    update() {
      if (listed !== part.state.accounts) addRecord(part.state.accounts)
      listed.forEach((account, index) => {
        updateStanding(state, account, records[index])
        updateQuality(state, account, records[index])
        updateUnits(part, account, records[index])
        updateMoney(part, account, records[index])
        account.services.forEach((service, at) => {
          updateServiceRecord(state, part, account, service, records[index].services[at])
        })
      })
    },
  }
}

/** Requirements of a contract, as records of customers and prospects state them. */
export const demandsOf = (contract: Contract) => ({
  compliance_required: contract.compliance,
  required_arch: contract.requiredArch,
  requires_multi_az: contract.multiZone,
  requires_private_segment: contract.privateSegment,
  demands_audit_logs: contract.auditLogs,
  demands_air_gap: contract.airGap,
  required_region: contract.requiredRegion === null ? null : idOf(contract.requiredRegion),
  requires_gpu: contract.services.some((service) => service.slices > 0),
  gpu_slices_demand: contract.services.reduce((sum, { count, slices }) => sum + count * slices, 0),
  growth_ceiling_vms: contract.growthCeiling,
  requires_dedicated_hosts: contract.dedicatedHosts,
  requires_uncontended: contract.uncontended,
  requires_dedicated: contract.dedicatedHosts || contract.privateSegment,
  requires_fault_isolation: contract.faultIsolation,
})

const newCustomer = recordFactory(CustomerSchema)
const newMargin = recordFactory(ServiceMarginSchema)

function createCustomer(part: TenantsPart, account: Account): CustomerRecord {
  const { contract } = account
  return newCustomer({
    id: account.id,
    name: account.name,
    archetype: contract.archetype,
    tier: account.tier,
    kind_label: contract.kindLabel,
    sla_p99_budget_ms: account.p99BudgetMs,
    service_kinds: [...account.classes],
    services: account.services.map((service) => createServiceRecord(part, account, service)),
    detail_omitted: false,
    ...demandsOf(contract),
    service_margins: account.classes.map((service) => newMargin({ service })),
  })
}

function updateStanding(state: RecordedWorld, account: Account, record: CustomerRecord): void {
  record.lifecycle = account.lifecycle
  record.pending_until_ns = account.pendingUntil === null ? null : toNs(account.pendingUntil)
  record.on_probation = account.lifecycle === 'Probation'
  record.satisfaction = round(account.satisfaction, 4)
  record.satisfaction_label = satisfactionLabel(account.satisfaction)
  record.attack_class = attackClassOn(state.threats, account.id)
  record.under_attack = record.attack_class !== null
  record.breached = account.breached
  record.requirements_unmet_mask = account.requirementsUnmet
}

function updateQuality(state: RecordedWorld, account: Account, record: CustomerRecord): void {
  countRequests(account, state.tick)
  const { period } = account
  record.health = round(account.health, 4)
  record.block_quality = round(account.blockQuality, 4)
  record.availability_pct = round(100 * availabilityOf(period), 2)
  record.sla_period_availability_frac = round(availabilityOf(period), 4)
  record.sla_period_seconds_over_latency = period.secondsOverLatency
  record.sla_period_elapsed_seconds = account.live ? Math.max(0, state.now - period.began) / second : 0
  record.p99_latency_ms = Math.round(periodP99(account))
  record.p99_recent_ms = Math.round(account.p99Ms)
  record.p50_latency_ms = Math.round(account.p50Ms)
  // Compares the rounded value, so that the record is consistent.
  record.in_latency_spike = record.p99_recent_ms > account.p99BudgetMs
  record.latency_top_term = account.topTerm === -1 ? null : latencyTerms[account.topTerm]
  record.cpu_load_pct = round(100 * account.cpuLoad, 2)
  record.rps = round(account.requestsPerSecond, 2)
  record.total_requests_lifetime = account.totalRequests
  record.failed_requests_lifetime = account.failedRequests
  record.failed_last_hour = account.failedLastHour
  record.egress_gbps = round(account.servedOutGbps, 4)
  record.ingress_gbps = round(account.servedInGbps, 4)
}

function updateUnits(part: TenantsPart, account: Account, record: CustomerRecord): void {
  const { services } = part.state
  record.unit_count = account.placedUnits
  record.provisioned_total = account.placedUnits
  record.requested_total = account.requestedUnits
  record.stranded_unit_count = account.strandedUnits
  record.distinct_hosts = account.hosts.length
  let most = 0
  for (const units of account.hostUnits) most = Math.max(most, units)
  record.max_units_on_host = most
  let slices = 0
  for (const service of account.services) slices += services.requested[service] * services.slices[service]
  record.gpu_slices_demand = slices
}

/** Amounts are rounded to cents first, and totals are sums of rounded amounts. */
function updateMoney(part: TenantsPart, account: Account, record: CustomerRecord): void {
  const { services } = part.state
  const cents = (micro: number) => Math.round(micro / 10_000)
  let revenue = 0
  let infrastructure = 0
  let transit = 0
  account.services.forEach((service, at) => {
    const margin = record.service_margins[at]
    const earned = cents(services.revenueTotal[service])
    const hosts = cents(services.infrastructureTotal[service])
    const network = cents(services.transitTotal[service])
    margin.revenue_dollars = earned / 100
    margin.cost_dollars = (hosts + network) / 100
    margin.margin_dollars = (earned - hosts - network) / 100
    revenue += earned
    infrastructure += hosts
    transit += network
  })
  record.margin_revenue_dollars = revenue / 100
  record.cost_infrastructure_dollars = infrastructure / 100
  record.cost_transit_dollars = transit / 100
  record.margin_cost_dollars = (infrastructure + transit) / 100
  record.margin_dollars = (revenue - infrastructure - transit) / 100
  record.revenue_total_dollars = cents(account.revenueMicro) / 100
  record.revenue_last_hour_dollars = cents(account.revenueLastHourMicro) / 100
  record.sla_credits_dollars = cents(account.creditsMicro) / 100
  record.eviction_fee_dollars = round(evictionFee(account), 2)
}
