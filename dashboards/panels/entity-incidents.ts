import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { fromIncidentRow } from '../layout/links.ts'
import { bandLevels } from '../style/states.ts'
import { wordTable } from '../visualizations/tables.ts'

/** A hidden column for the links of incidents, which need it besides the id. */
export const hiddenGraphFrom = { field: 'graph_from', title: 'Graphs from', hidden: true } as const

/** The severity and cost of an incident leave space for a sentence on a phone. */
export const bandAndCost = [
  { field: 'severity', title: 'Band', width: 78, mappings: bandLevels, filled: true },
  { field: 'revenue_at_risk_dollars_per_hour', title: '$/h', decimals: 0, width: 60, evens: true },
] as const

/** Incidents of one entity, in words: active ones, then resolved ones. In a narrow panel, a click tells cause and state. */
export const activeIncidentsOf = (query: string, empty: string, isNarrow = false): Panel =>
  wordTable({
    title: 'Incidents',
    description:
      'Incidents that concern it: the active ones, the gravest first, then those that are resolved.',
    empty,
    table: 'incidents',
    query: `${query}&limit=12`,
    lines: 4,
    columns: [
      ...bandAndCost,
      { field: 'symptom', title: 'What is wrong', links: [fromIncidentRow()] },
      ...(isNarrow
        ? []
        : [
            { field: 'cause', title: 'Cause' },
            { field: 'state', title: 'State', width: 72 },
          ]),
      { field: 'incident_id', title: 'Id', hidden: true },
      hiddenGraphFrom,
    ],
  })
