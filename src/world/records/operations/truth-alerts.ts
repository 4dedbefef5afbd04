import { causeKinds } from '../../../contract/messages/incident-causes.ts'
import type { CauseWords } from '../../../contract/messages/incident-causes.ts'
import type { TruthAlert } from '../../../contract/game-days/truth-line.ts'
import type { Band, CauseKind } from '../../../contract/vocabularies.ts'

const alertOfBand = (band: Band): string => `DcsimIncident${band}`

/**
 * The alerts that a fault justifies: about the affected devices and customers, and about its incidents in their
 * bands.
 */
export function alertsOf(
  kind: CauseKind,
  touched: Readonly<Record<string, readonly string[]>>,
  incidents: readonly { readonly id: number; readonly bands: readonly Band[] }[],
): TruthAlert[] {
  const { alerts = [] }: CauseWords = causeKinds[kind]
  const aboutParts = alerts.flatMap(([alert, label]) =>
    (touched[label] ?? []).map((id) => ({ alert, labels: { [label]: id } })),
  )
  const aboutIncidents = incidents.flatMap(({ id, bands }) =>
    bands.map((band) => ({ alert: alertOfBand(band), labels: { incident: String(id) } })),
  )
  return [...aboutParts, ...aboutIncidents]
}
