import { slaPeriodDays } from '../src/contract/sla.ts'
import { targetSelector, targetValues } from './identity.ts'
import { targetLabels } from '../promql/metrics.ts'

/** Fragments of annotation templates that several alerts share, so that numbers, amounts and names have one format. */

/** With a comma between thousands. */
const withCommas =
  'printf "%.0f" | reReplaceAll "([0-9])([0-9]{3})$" "$1,$2"' +
  ' | reReplaceAll "([0-9])([0-9]{3}),([0-9]{3})$" "$1,$2,$3"'
/** With the sign before the dollar. */
const money = `${withCommas} | reReplaceAll "^(-?)" "$1$$"`
/** At least two significant digits: 6.0%, 88%, 100%. */
const share =
  'humanizePercentage | reReplaceAll "^(-?[0-9]{2,})[.][0-9]+%" "$1%" | reReplaceAll "^(-?[0-9][.][0-9])[0-9]+%" "$1%"'
const span = 'humanizeDuration | reReplaceAll "( 0[hms])+$" "" | reReplaceAll "([.][0-9])[0-9]+s$" "${1}s"'

export const valueAsPercent = `{{ $value | ${share} }}`
/** The percentage of a decrease, without the sign. */
export const fallPercent = `{{ $value | ${share} | reReplaceAll "^-" "" }}`
export const dollars = `{{ $value | ${money} }}`
export const oneDecimal = '{{ $value | printf "%.1f" }}'
/** `2.5`, `38.5`, `1,634`. */
export const valueAsRate = `{{ if ge $value 100.0 }}{{ $value | ${withCommas} }}{{ else }}${oneDecimal}{{ end }}`
export const valueAsDuration = `{{ $value | ${span} }}`

/** `1.1 GiB`. */
export const bytes =
  '{{ $value | humanize1024 | reReplaceAll "([.][0-9])[0-9]+" "$1" | reReplaceAll "([0-9])([KMGT]i)" "$1 $2" }}B'

/** `1 unit`, `12 units`: the value and a noun. */
export const valueAsCount = (noun: string, plural = `${noun}s`): string =>
  `{{ $value | ${withCommas} }} {{ if eq $value 1.0 }}${noun}{{ else }}${plural}{{ end }}`
/** The singular form for a value of 1, such as `needs`, otherwise the plural form. */
export const singularOrPlural = (one: string, several: string): string =>
  `{{ if eq $value 1.0 }}${one}{{ else }}${several}{{ end }}`

/** The value of a closed set in words; any other value unchanged. */
export function inWords(label: string, values: readonly string[], words: (value: string) => string): string {
  const cases = values.map((value, at) => `${at === 0 ? 'if' : 'else if'} eq $labels.${label} "${value}"`)
  const chain = values.map((value, at) => `{{ ${cases[at]} }}${words(value)}`).join('')
  return `${chain}{{ else }}{{ $labels.${label} }}{{ end }}`
}

/** A template over one series of a result: several would run into each other. */
const first = (query: string, then: string, otherwise = ''): string =>
  `{{ with ${query} }}{{ with first . }}${then}{{ end }}${otherwise === '' ? '' : `{{ else }}${otherwise}`}{{ end }}`

/** A template over the result of a query, whose series are selected by labels of the alert, and one without a result. */
export const lookup = (
  name: string,
  labels: readonly string[],
  then: string,
  comparison = '',
  otherwise = '',
): string => {
  const selectors = labels.map((label) => `, ${label}=%q`).join('')
  const values = labels.map((label) => ` $labels.${label}`).join('')
  return first(
    `query (printf "${name}{${targetSelector}${selectors}}${comparison}" ${targetValues}${values})`,
    then,
    otherwise,
  )
}

/** Simulated time in which a period of SLA is spent at the rate that is the value. */
export const exhaustion = first(
  `query (printf "vector(${slaPeriodDays * 86_400} / %f)" $value)`,
  `{{ . | value | ${span} | reReplaceAll "^([0-9]+[dh] [0-9]+[hm]).*" "$1" }}`,
)

/** The value of the query's series. */
export const foundPercent = `{{ . | value | ${share} }}`
export const foundDollars = `{{ . | value | ${money} }}`
export const foundDuration = `{{ . | value | ${span} }}`
export const countOf = (sample: string, noun: string): string =>
  `{{ ${sample} | value | ${withCommas} }} ${noun}{{ if ne (value ${sample}) 1.0 }}s{{ end }}`
const foundCount = (noun: string): string => countOf('.', noun)

const ofIncident = (name: string, then: string, comparison = ''): string =>
  lookup(name, ['incident'], then, comparison)

/** The symptom and its subject: `traffic flood on Clover Vale Streaming`. */
const symptomAndSubject = ofIncident(
  'dcsim_incident_info',
  '{{ $on := ", " }}{{ if . | label "customer" }}{{ $on = " on " }}{{ end }}' +
    '{{ . | label "symptom" }}{{ with . | label "subject" }}{{ $on }}{{ . }}{{ end }}',
)

/** The current band of an incident. */
export const incidentBand = ofIncident('dcsim_incident_info', '{{ . | label "band" }}')

/** `22: traffic flood on Clover Vale Streaming (19 customers, $61/h at risk)`. */
export const incidentTitle =
  `{incident}: ${symptomAndSubject}` +
  ofIncident('dcsim_incident_customers_affected', ` (${foundCount('customer')}`, ' > 0') +
  ofIncident('dcsim_incident_revenue_at_risk_dollars_per_hour', `, ${foundDollars}/h at risk`, ' > 0.5') +
  ofIncident('dcsim_incident_customers_affected', ')', ' > 0')

const onTarget = `on (${targetLabels.join(', ')})`
const simTime = `dcsim_sim_time_seconds{${targetSelector}}`
const openFor =
  `${simTime} - ${onTarget} group_right ()` +
  ` dcsim_incident_started_sim_timestamp_seconds{${targetSelector}, incident=%q}`
const openForValues = `${targetValues} ${targetValues} $labels.incident`

/** Simulated time since an incident was opened. */
const age = first(
  `query (printf "${openFor}" ${openForValues})`,
  `Open for ${foundDuration} of simulated time. `,
)

/** Wall time since then, at the speed that the world has. */
const openForWall = `(${openFor}) / ${onTarget} group_left () (dcsim_sim_speed_ratio{${targetSelector}} > 0)`
const openForWallValues = `${openForValues} ${targetValues}`
const wallClock = '{{ (. | value | toTime).UTC.Format "15:04:05" }}'

/**
 * The incident's own times, which are not those of its alert: when it began, and for how long it was open when it was last
 * seen. Empty while the world has no speed.
 */
export const incidentSince = first(
  `query (printf "timestamp(${simTime}) - ${onTarget} group_right () (${openForWall})"` +
    ` ${targetValues} ${openForWallValues})`,
  wallClock,
)
export const incidentLasted = first(
  `query (printf "${openForWall}" ${openForWallValues})`,
  `{{ . | value | printf "%.0f" | humanizeDuration | reReplaceAll "( 0[hms])+$" "" }}, from ${incidentSince}` +
    first(`query (printf "timestamp(${simTime})" ${targetValues})`, ` to ${wallClock} UTC`),
)

/** The next step, while a customer feels the incident: afterwards it is about to close. */
export const whileFelt = (next: string): string =>
  ofIncident('dcsim_incident_customers_affected', next, ' > 0') +
  ofIncident(
    'dcsim_incident_customers_affected',
    'No customer feels it any more: check that it closes.',
    ' == 0',
  )

/** Place, cause and affected customers of an incident. */
const known = (promises: string): string =>
  ofIncident(
    'dcsim_incident_info',
    '{{ with . | label "place" }}Where: {{ . }}. {{ end }}' +
      '{{ if eq (. | label "cause_state") "confirmed" }}Confirmed cause: {{ . | label "cause" }}. ' +
      '{{ else if eq (. | label "cause_state") "suspected" }}Suspected cause: {{ . | label "cause" }}. ' +
      '{{ else }}Cause not known yet. {{ end }}' +
      '{{ with . | label "max_sla_tier" }}Highest plan affected: {{ . }}. {{ end }}' +
      promises,
  )

/** The details of an incident, and its age. */
export const incidentState =
  known('{{ with . | label "compliance_at_risk" }}{{ . }} compliance is at risk. {{ end }}') + age

/** The same for a message whose title contains the compliance. */
export const stateBesidesCompliance = known('') + age
