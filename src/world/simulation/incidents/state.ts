import type { DiagnosisRequest, Incident, Symptom } from './model.ts'
import type { CustomerMonitorState } from './monitors/customers.ts'
import type { Micros } from '../time.ts'
import type { LinkMonitorState } from './monitors/links.ts'

export interface IncidentsState {
  /** Monitoring reports nothing before this time. */
  readonly startupEnds: Micros
  /** All current symptoms, by key. */
  readonly symptoms: Map<number, Symptom>
  /** Open incidents by id, ascending. */
  readonly open: Map<number, Incident>
  /** In order of resolution. */
  readonly resolved: Incident[]
  openedCount: number
  /** The versions of what the monitors read, and the time of the last poll. */
  readonly known: Float64Array
  polled: Micros
  channelThreadCount: number
  /** Revenue of all customers at the last poll. */
  fleetRevenuePerHour: number
  /** Customer symptoms that may belong to another incident. */
  readonly toReassess: Set<Symptom>
  readonly diagnosisRequests: DiagnosisRequest[]
  readonly customerMonitor: CustomerMonitorState
  readonly linkMonitor: LinkMonitorState
}
