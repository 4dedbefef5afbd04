import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { fromJsonRow } from './house/links.ts'
import { units } from './house/look.ts'
import { bandTexts } from './house/states.ts'
import { wordTable } from './house/tables.ts'

/** Incidents of one thing, in words: those that are active, then those that are over. */
export const activeIncidentsOf = (query: string, empty: string): Panel =>
  wordTable({
    title: 'Incidents',
    description:
      'Incidents that concern it: the active ones, the gravest first, then those that are resolved.',
    empty,
    table: 'incidents',
    query: `${query}&limit=12`,
    columns: [
      {
        field: 'incident_id',
        title: 'No.',
        width: 65,
        links: [fromJsonRow('dcsim-incident', 'incident', 'incident_id')],
      },
      { field: 'band', title: 'Band', width: 80, mappings: bandTexts, filled: true },
      { field: 'symptom', title: 'What is wrong' },
      { field: 'cause', title: 'Cause' },
      { field: 'state', title: 'State', width: 85 },
      { field: 'opened', title: 'Opened', width: 125 },
      {
        field: 'revenue_at_risk_dollars_per_hour',
        title: '$/h at risk',
        unit: units.dollars,
        decimals: 0,
        width: 90,
      },
    ],
  })
