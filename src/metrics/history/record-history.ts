import type { Collections, Snapshot } from '../../contract/collections.ts'
import {
  historyCollections,
  historyHostsMax,
  historyMetrics,
  historySubjects,
  historySwitchesMax,
} from '../../contract/history.ts'
import type {
  HistoryEntity,
  HistoryMetricName,
  HistorySubject,
  WorldHistory,
} from '../../contract/history.ts'

const sum = <T>(records: readonly T[], read: (record: T) => number): number =>
  records.reduce((total, record) => total + read(record), 0)

const percentage = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole)

type Reader = (snapshot: Snapshot) => number

const fleetReaders: Readonly<Record<HistoryMetricName<'fleet'>, Reader>> = {
  wan_ingress_gbps: ({ collections }) => sum(collections.azs, (zone) => zone.wan_ingress_gbps),
  wan_egress_gbps: ({ collections }) => sum(collections.azs, (zone) => zone.wan_egress_gbps),
  dropped_gbps: ({ collections }) => sum(collections.azs, (zone) => zone.dropped_gbps),
  rps: ({ collections }) => sum(collections.customers, (customer) => customer.rps),
  revenue_last_hour_dollars: ({ collections }) =>
    sum(collections.customers, (customer) => customer.revenue_last_hour_dollars),
  power_draw_kw: ({ collections }) => sum(collections.azs, (zone) => zone.power_draw_kw),
  cpu_used_pct: ({ collections: { azs } }) =>
    percentage(
      sum(azs, (zone) => zone.used_millivcpu),
      1_000 * sum(azs, (zone) => zone.physical_vcpu),
    ),
  mem_allocated_pct: ({ collections: { azs } }) =>
    percentage(
      sum(azs, (zone) => zone.physical_mem_mb - zone.free_mem_mb),
      sum(azs, (zone) => zone.physical_mem_mb),
    ),
  hosts_online: ({ collections }) => sum(collections.azs, (zone) => zone.hosts_online),
  unit_count: ({ collections }) => sum(collections.azs, (zone) => zone.unit_count),
  stranded_unit_count: ({ collections }) => sum(collections.azs, (zone) => zone.stranded_unit_count),
  customer_count: ({ collections }) => collections.customers.length,
  incidents_active: ({ collections }) => collections.incidents.length,
  satisfaction: ({ collections: { customers } }) =>
    customers.length === 0 ? 0 : sum(customers, (customer) => customer.satisfaction) / customers.length,
}

type SubjectWithRecords = keyof typeof historyCollections
type AnyRecord = Collections[(typeof historyCollections)[SubjectWithRecords]][number]

const most: Readonly<Record<HistorySubject, number>> = {
  fleet: 1,
  azs: Infinity,
  'host-pools': Infinity,
  gateways: Infinity,
  customers: Infinity,
  switches: historySwitchesMax,
  hosts: historyHostsMax,
}

const recordsOf = (snapshot: Snapshot, subject: SubjectWithRecords): readonly AnyRecord[] =>
  snapshot.collections[historyCollections[subject]].slice(0, most[subject])

function readRecord(record: AnyRecord, metric: string): number {
  if (metric in record) return Number(record[metric as keyof AnyRecord])
  const host = record as Collections['hosts'][number]
  return percentage(host.used_millivcpu, 1_000 * host.physical_vcpu)
}

/** A history sampled from records, for sources without one. */
interface RecordHistory extends WorldHistory {
  /** Sets the snapshot to sample next. */
  observe(snapshot: Snapshot): void
}

export function createRecordHistory(): RecordHistory {
  let snapshot: Snapshot | null = null
  let version = 0
  let entities: HistoryEntity[] = []

  const isPresent = (now: readonly HistoryEntity[]): boolean =>
    now.length === entities.length &&
    now.every(({ subject, id }, index) => entities[index].subject === subject && entities[index].id === id)
  const entitiesOf = (present: Snapshot): HistoryEntity[] =>
    historySubjects.flatMap((subject): HistoryEntity[] =>
      subject === 'fleet'
        ? [{ subject, id: null }]
        : recordsOf(present, subject).map(({ id }) => ({ subject, id })),
    )
  return {
    get version() {
      return version
    },
    get entities() {
      return entities
    },
    observe(present) {
      snapshot = present
      const now = entitiesOf(present)
      if (isPresent(now)) return
      entities = now
      version++
    },
    sample(into) {
      if (snapshot === null) return
      let at = 0
      for (const subject of historySubjects) {
        if (subject === 'fleet') {
          for (const read of Object.values(fleetReaders)) into[at++] = read(snapshot)
          continue
        }
        const metrics = Object.keys(historyMetrics[subject])
        for (const record of recordsOf(snapshot, subject)) {
          for (const metric of metrics) into[at++] = readRecord(record, metric)
        }
      }
    },
  }
}
