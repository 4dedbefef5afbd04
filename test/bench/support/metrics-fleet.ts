import type { HostRecord, Snapshot } from '../../../src/contract/collections.ts'
import { HostSchema } from '../../../src/contract/records/hosts.ts'
import { contentionStates } from '../../../src/contract/vocabularies.ts'
import { families } from '../../../src/metrics/families/all.ts'
import type { Family } from '../../../src/metrics/declaration/family.ts'
import { busyFleet } from '../../fixtures/busy-hosts.ts'
import { snapshotWith } from '../../fixtures/handmade-snapshot.ts'
import { SeededRandom } from '../../fixtures/seeded-random.ts'

/** The families of hosts. */
export const hostFamilies: readonly (readonly [string, Family])[] = Object.entries<Family>(families).filter(
  ([, { collector }]) => collector === 'hosts',
)

/** Fields that identify a host: a publish seldom changes them. */
const identity = new Set(['id', 'az_id', 'pool_id', 'rack_id', 'start_u'])
const measured = Object.entries(HostSchema.fields).filter(
  ([name, { kind }]) => ['int', 'num', 'bool'].includes(kind) && !identity.has(name),
)

/** With the two totals of the ports' bytes these are the sources of a quarter of the families. */
const quarter = measured.filter(([name]) =>
  ['ingress_gbps', 'egress_gbps', 'used_millivcpu', 'iops_actual', 'mem_requested_pct'].includes(name),
)

/** Another value of similar size, with the number of digits that the world uses. */
function another(value: unknown, kind: string, unit: string, chance: SeededRandom): number | boolean {
  if (kind === 'bool') return value !== true
  const decimals = kind === 'int' ? 0 : unit === 'pct' || unit === 'dollars' ? 2 : 4
  const scale = 10 ** decimals
  return (
    Math.round((Number(value) * (0.9 + chance.next() * 0.2) + chance.next() * 3 + 1 / scale) * scale) / scale
  )
}

/** A fleet with about 100,000 series. */
export class DescribedFleet {
  readonly hosts: HostRecord[]
  readonly snapshot: Snapshot
  readonly #chance = new SeededRandom(3)

  constructor(series = 100_000) {
    this.hosts = busyFleet(Math.round(series / hostFamilies.length), this.#chance)
    this.snapshot = snapshotWith({ hosts: this.hosts })
  }

  /** Changes the value of every series, or those of a quarter of the families. */
  change(which: 'all' | 'quarter'): void {
    const fields = which === 'all' ? measured : quarter
    for (const host of this.hosts) {
      const values = host as unknown as Record<string, number | boolean>
      for (const [name, { kind, unit }] of fields)
        values[name] = another(values[name], kind, unit, this.#chance)
      for (const port of host.ports) {
        port.bytes_egress_total = Number(port.bytes_egress_total) + this.#chance.below(2 ** 31) + 1
        port.bytes_ingress_total = Number(port.bytes_ingress_total) + this.#chance.below(2 ** 31) + 1
      }
      if (which === 'quarter') continue
      const level = contentionStates.indexOf(host.contention_state)
      host.contention_state = contentionStates[(level + 1) % contentionStates.length]
      host.inv_status = host.inv_status === 'Maintenance' ? 'Installed' : 'Maintenance'
    }
  }
}
