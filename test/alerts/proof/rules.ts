import { ruleGroups } from '../../../alerts/catalog.ts'
import { explained } from '../../../alerts/explained.ts'
import type { AlertName } from '../../../alerts/cases/alert-cases.ts'
import type { AlertSeverity } from '../../../alerts/severity.ts'
import type { Alert, Recording } from '../../../alerts/rule.ts'
import { designSettings } from '../design-settings.ts'

/** The rules under test: every alert, and the recording rules for them. */

const groups = ruleGroups(designSettings)

export const allAlerts = (): Alert[] => groups.flatMap(({ alerts }) => alerts)

const severities: ReadonlyMap<AlertName, AlertSeverity> = new Map(
  allAlerts().map(({ alert, labels }) => [alert, labels['severity'] as AlertSeverity]),
)

export const severityOf = (alert: AlertName): AlertSeverity => severities.get(alert)!

/** The ALERTS of Prometheus that `DcsimIncidentScope` reads: pending alerts about customers and hosts. */
function recordedAlerts(): Recording[] {
  const read = new Set<AlertName>([...explained.customer, ...explained.host])
  return allAlerts()
    .filter(({ alert }) => read.has(alert))
    .map(({ alert, expr }) => ({
      record: 'ALERTS',
      expr,
      labels: { alertname: alert, alertstate: 'pending' },
    }))
}

/** Without the recording rules that only dashboards use. */
export function recordingsOfAlerts(): Recording[] {
  const all = [...groups.flatMap(({ recordings }) => recordings), ...recordedAlerts()]
  const needed = new Set<Recording>()
  const need = ({ expr }: { readonly expr: string }): void => {
    for (const recording of all) {
      if (needed.has(recording) || !expr.includes(recording.record)) continue
      needed.add(recording)
      need(recording)
    }
  }
  for (const alert of allAlerts()) need(alert)
  return all.filter((recording) => needed.has(recording))
}

/** Recording rules in layers: those of one layer read only series of earlier layers. */
export function layers(recordings: readonly Recording[]): Recording[][] {
  const reads = ({ record, expr }: Recording): Recording[] =>
    recordings.filter((other) => other.record !== record && expr.includes(other.record))
  const sorted: Recording[][] = []
  let left = [...recordings]
  while (left.length > 0) {
    const layer = left.filter((rule) => !reads(rule).some((other) => left.includes(other)))
    if (layer.length === 0) {
      throw new Error(`these rules read each other: ${left.map(({ record }) => record).join(', ')}`)
    }
    sorted.push(layer)
    left = left.filter((rule) => !layer.includes(rule))
  }
  return sorted
}
