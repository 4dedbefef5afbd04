import type { DiagnosisRequest, Incident, Symptom } from './model.ts'
import type { CustomerMonitorState } from './monitors/customers.ts'
import type { Micros } from '../time.ts'
import type { LinkMonitorState } from './monitors/links.ts'

export interface IncidentsState {
  /** Monitoring reports nothing before this time. */
  readonly startupEnds: Micros
  /** Everything that monitoring sees, by key. */
  readonly symptoms: Map<number, Symptom>
  /** Open incidents by id, ascending. */
  readonly open: Map<number, Incident>
  /** In the order of their resolution. */
  readonly resolved: Incident[]
  openedCount: number
  channelThreadCount: number
  /** Revenue of all customers at the last poll. */
  fleetRevenuePerHour: number
  /** Customers' symptoms that may belong to another incident than they were assigned to. */
  readonly toReassess: Set<Symptom>
  readonly diagnosisRequests: DiagnosisRequest[]
  readonly customerMonitor: CustomerMonitorState
  readonly linkMonitor: LinkMonitorState
}
