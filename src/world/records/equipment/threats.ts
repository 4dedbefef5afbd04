import type { ThreatRecord } from '../../../contract/collections.ts'
import { ThreatSchema } from '../../../contract/records/shared.ts'
import { threatClasses, threatUnits, threatClassCount } from '../../../contract/vocabularies.ts'
import { gbpsPerUnit } from '../../simulation/network/view.ts'
import { round } from '../../simulation/numeric.ts'
import { recordFactory } from '../record-list.ts'

/** Hostile traffic at a device: three columns of `Threats`, [row * classes + class]. */
export interface ThreatColumns {
  readonly reaching: Float64Array
  readonly mitigated: Float64Array
  readonly capacity: Float64Array
}

const names = {
  Volumetric: { label: 'Traffic flood', engineers: 'Volumetric DDoS (reflection, amplification)' },
  Protocol: { label: 'Connection flood', engineers: 'Protocol DDoS (SYN flood, fragments)' },
  Application: { label: 'Request flood', engineers: 'Application-layer DDoS (HTTP flood)' },
  Intrusion: { label: 'Break-in attempts', engineers: 'Intrusion (exploits, credential stuffing)' },
  Scan: { label: 'Probing', engineers: 'Reconnaissance (port and vulnerability scans)' },
} as const

/** Packets per second in one natural unit of each class. */
const packetsPerUnit = [125_000, 1_000_000, 3_000, 4, 1] as const

const newThreat = recordFactory(ThreatSchema)

export const createThreatRecords = (): ThreatRecord[] =>
  threatClasses.map((name, index) =>
    newThreat({
      class: name,
      label: names[name].label,
      label_eng: names[name].engineers,
      unit: threatUnits[index],
    }),
  )

type ThreatFigures = Pick<ThreatRecord, 'reaching' | 'mitigated' | 'residual' | 'capacity'>

/** Rounds the amounts of a class so that the published digits add up. */
export function updateThreat(
  record: ThreatFigures,
  columns: ThreatColumns,
  row: number,
  index: number,
): void {
  const at = row * threatClassCount + index
  record.reaching = round(columns.reaching[at], 3)
  record.capacity = round(columns.capacity[at], 3)
  record.mitigated = Math.min(round(columns.mitigated[at], 3), record.reaching, record.capacity)
  record.residual = round(record.reaching - record.mitigated, 3)
}

export function updateThreats(records: readonly ThreatRecord[], columns: ThreatColumns, row: number): void {
  for (let index = 0; index < threatClassCount; index++) {
    updateThreat(records[index], columns, row, index)
    records[index].defense_capable = columns.capacity[row * threatClassCount + index] > 0
  }
}

/** Mitigated hostile traffic of one class, or of all, by the weight of each. */
const mitigated = (
  { mitigated: by }: ThreatColumns,
  row: number,
  weights: readonly number[],
  only?: number,
) =>
  weights.reduce(
    (sum, weight, index) =>
      sum + (index === (only ?? index) ? by[row * threatClassCount + index] * weight : 0),
    0,
  )

/** Mitigated hostile packets per second, of one class or of all. */
export const mitigatedPackets = (columns: ThreatColumns, row: number, only?: number): number =>
  mitigated(columns, row, packetsPerUnit, only)

/** Mitigated hostile traffic, in Gbit/s on the wire. */
export const mitigatedGbps = (columns: ThreatColumns, row: number): number =>
  mitigated(columns, row, gbpsPerUnit)
