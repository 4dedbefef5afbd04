import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { fromIncidentRow } from '../layout/links.ts'
import { bandLevels } from '../style/states.ts'
import { wordTable } from '../visualizations/tables.ts'

/** A hidden column for the links of incidents, which need it besides the id. */
export const hiddenGraphFrom = { field: 'graph_from', title: 'Graphs from', hidden: true } as const

/** Incidents of one entity, in words: active ones, then resolved ones. */
export const activeIncidentsOf = (query: string, empty: string, lines = 3): Panel =>
  wordTable({
    title: 'Incidents',
    description:
      'Incidents that concern it: the active ones, the gravest first, then those that are resolved.',
    empty,
    table: 'incidents',
    query: `${query}&limit=12`,
    lines,
    columns: [
      { field: 'severity', title: 'Band', width: 78, mappings: bandLevels, filled: true, evens: true },
      { field: 'symptom', title: 'What is wrong', links: [fromIncidentRow()] },
      { field: 'cause', title: 'Cause' },
      { field: 'state', title: 'State', width: 72 },
      { field: 'incident_id', title: 'Id', hidden: true },
      hiddenGraphFrom,
    ],
  })
