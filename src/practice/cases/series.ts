/** Which series a case has, the same for all cases, and what their columns are called. */
import type { Snapshot } from '../../contract/collections.ts'
import { createSampler } from '../../metrics/exposition/sampler.ts'
import { entityOfSeries, feedIdsOf, topologyGraph } from '../twins/topology-graph.ts'
import type { RandomStream } from '../../world/built-in-world.ts'

/** Series that show the state of a part itself. */
export const statusSeries: readonly string[] = [
  'dcsim_az_power_feed_up',
  'dcsim_az_cooling_unit_up',
  'dcsim_rack_power_feeds_live',
  'dcsim_host_online',
  'dcsim_host_in_maintenance',
  'dcsim_host_power_feeds_live',
  'dcsim_switch_up',
  'dcsim_switch_power_feeds_live',
  'dcsim_switch_fabric_saturated',
  'dcsim_gateway_up',
  'dcsim_gateway_bgp_advertising',
  'dcsim_gateway_addon_throttled',
  'dcsim_appliance_up',
  'dcsim_appliance_inspection_saturated',
  'dcsim_link_up',
]

const levelSeries: readonly string[] = [
  'dcsim_az_power_draw_watts',
  'dcsim_az_inlet_celsius',
  'dcsim_az_dropped_bytes_per_second',
  'dcsim_az_wan_transmit_bytes_per_second',
  'dcsim_az_power_feed_load_watts',
  'dcsim_az_cooling_unit_load_watts',
  'dcsim_rack_power_draw_watts',
  'dcsim_rack_inlet_celsius',
  'dcsim_host_units',
  'dcsim_host_units_stranded',
  'dcsim_host_cpu_used_vcpus',
  'dcsim_host_disk_operations_per_second',
  'dcsim_host_receive_bytes_per_second',
  'dcsim_host_transmit_bytes_per_second',
  'dcsim_switch_fabric_load_bytes_per_second',
  'dcsim_switch_fabric_capacity_bytes_per_second',
  'dcsim_switch_errors_total',
  'dcsim_switch_link_flaps_total',
  'dcsim_gateway_fabric_load_bytes_per_second',
  'dcsim_gateway_forwarding_ceiling_bytes_per_second',
  'dcsim_gateway_wan_receive_bytes_per_second',
  'dcsim_gateway_wan_transmit_bytes_per_second',
  'dcsim_appliance_fabric_load_bytes_per_second',
  'dcsim_appliance_inspection_load_bytes_per_second',
  'dcsim_appliance_dropped_packets_per_second',
  'dcsim_appliance_security_events_per_second',
  'dcsim_link_forward_bytes_per_second',
  'dcsim_link_reverse_bytes_per_second',
  'dcsim_customer_requests_per_second',
  'dcsim_customer_failed_requests_total',
  'dcsim_customer_latency_seconds',
  'dcsim_customer_cpu_load_ratio',
  'dcsim_customer_receive_bytes_per_second',
  'dcsim_customer_transmit_bytes_per_second',
  'dcsim_customer_units_stranded',
]

export const chosenSeries: readonly string[] = [...statusSeries, ...levelSeries]

const subjects = /^dcsim_(az_power_feed|az_cooling_unit|az|rack|host|switch|gateway|appliance|link|customer)_/
const metricOf = (family: string): string => family.replace(subjects, '').replaceAll('_', '-')
const statusMetrics: ReadonlySet<string> = new Set(statusSeries.map(metricOf))
export const isStatus = (metric: string): boolean => statusMetrics.has(metric)

interface CaseColumn {
  /** Kind and id: `Switch 3`. */
  readonly key: string
  /** Lowercase words joined by dashes: an underscore separates it from the metric. */
  readonly entity: string
  readonly metric: string
}

/** A name as part of a column. */
export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** The values of a case, a row a minute; the columns are those of its first snapshot. */
export class CaseTable {
  readonly columns: CaseColumn[] = []
  readonly seconds: number[] = []
  /** NaN where there is no value; of totals, the increase since the row before. */
  readonly rows: number[][] = []
  readonly #sample = createSampler((name) => chosenSeries.includes(name))
  readonly #positions = new Map<string, number>()
  readonly #totals: number[] = []

  add(seconds: number, snapshot: Snapshot): void {
    if (this.rows.length === 0) this.#nameColumns(snapshot)
    const row = Array.from(this.columns, () => Number.NaN)
    for (const { families, labels, columns } of this.#sample(snapshot))
      for (const [index, family] of families.entries())
        for (const [line, text] of labels.entries()) {
          const position = this.#positions.get(`${family}${text}`)
          if (position === undefined) continue
          const value = columns[index][line]
          row[position] = family.endsWith('_total') ? value - (this.#totals[position] ?? value) : value
          this.#totals[position] = value
        }
    this.seconds.push(seconds)
    this.rows.push(row)
  }

  #nameColumns(snapshot: Snapshot): void {
    const { names } = topologyGraph(snapshot)
    const feedIds = feedIdsOf(snapshot)
    const keyOfEntity = new Map<string, string>()
    for (const { families, labels } of this.#sample(snapshot))
      for (const text of labels) {
        const key = entityOfSeries(text, feedIds)
        if (key === null) continue
        const name = slug(names.get(key) ?? key)
        const entity = (keyOfEntity.get(name) ?? key) === key ? name : slug(`${name} ${key}`)
        keyOfEntity.set(name, keyOfEntity.get(name) ?? key)
        const quantile = /quantile="([\d.]+)"/.exec(text)?.[1]
        const suffix = quantile === undefined ? '' : `-p${Number(quantile) * 100}`
        for (const family of families) {
          this.#positions.set(`${family}${text}`, this.columns.length)
          this.columns.push({ key, entity, metric: `${metricOf(family)}${suffix}` })
        }
      }
  }

  /**
   * Hides a share of the telemetry without regard to faults: of some entities all of it, of other columns the rows of up
   * to 20 minutes.
   */
  hide(random: RandomStream, share: number): void {
    const entities = new Set(this.columns.map(({ key }) => key).filter((key) => !key.startsWith('Customer ')))
    const silent = new Set([...entities].filter(() => random.chance(share)))
    for (const [position, { key }] of this.columns.entries()) {
      const from = random.below(this.rows.length)
      const until = from + (random.chance(share) ? random.between(1, 20) : 0)
      for (const [row, values] of this.rows.entries())
        if (silent.has(key) || (row >= from && row < until)) values[position] = Number.NaN
    }
  }
}
