import { targetSelector, targetValues } from './identity.ts'
import { targetLabels } from './promql.ts'

/** Pieces of description templates that several alerts share. */

export const percent = '{{ $value | humanizePercentage }}'
export const wholeNumber = '{{ $value | printf "%.0f" }}'
/** With the sign, where there is one, before the dollar. */
export const dollars = '{{ $value | printf "$%.0f" | reReplaceAll "^.-" "−$$" }}'
export const oneDecimal = '{{ $value | printf "%.1f" }}'
export const duration = '{{ $value | humanizeDuration }}'

/** The series of an incident by its name. */
const selected = (name: string): string =>
  `query (printf "${name}{${targetSelector}, incident=%q}" ${targetValues} $labels.incident)`

/** Simulated seconds since an incident was opened. */
const age =
  `query (printf "dcsim_sim_time_seconds{${targetSelector}} - on (${targetLabels.join(', ')}) group_right ()` +
  ` dcsim_incident_started_seconds{${targetSelector}, incident=%q}"` +
  ` ${targetValues} ${targetValues} $labels.incident)`

/** Letters of a name from a closed list, as words: CableCut becomes cable cut. */
const asWords = '| reReplaceAll "([a-z])([A-Z])" "$1 $2" | toLower'

/** What is known about an incident: its symptom, its cause as far as it is known, what it does. */
export const incidentInfo =
  `{{ range ${selected('dcsim_incident_info')} }}` +
  `Seen: {{ . | label "symptom_kind" ${asWords} }}. Cause: {{ . | label "root_kind" ${asWords} }}.{{ end }}` +
  `{{ range ${selected('dcsim_incident_customers_affected')} }}` +
  ` Customers who feel it: {{ . | value | printf "%.0f" }}.{{ end }}` +
  `{{ range ${selected('dcsim_incident_revenue_at_risk_hourly_dollars')} }}` +
  ` Revenue at risk: \${{ . | value | printf "%.0f" }} an hour.{{ end }}`

/** The same, and how long it has been there. */
export const incidentAnnotation = `${incidentInfo}{{ range ${age} }} Open for {{ . | value | humanizeDuration }} of game time.{{ end }}`
