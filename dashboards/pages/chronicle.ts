import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { dashboard, row } from '../layout/layout.ts'
import { fromIncidentRow } from '../layout/links.ts'
import { daysTable } from '../panels/days.ts'
import { chapters } from '../panels/company/growth-orders.ts'
import { eventFeed } from '../panels/events.ts'
import { bandAndCost, hiddenGraphFrom } from '../panels/entity-incidents.ts'
import { searched } from '../queries/targets.ts'
import { unit } from '../style/look.ts'
import { momentWidth, wordTable } from '../visualizations/tables.ts'

const link = [fromIncidentRow()]

const grave = wordTable({
  title: 'Grave incidents',
  description:
    'Major and Critical incidents that were open in the time shown and have the words of the search box.',
  empty: 'No such incident was open in the time shown.',
  table: 'incidents',
  query: `band=Major,Critical&limit=100&${searched}`,
  tinted: true,
  lines: 2,
  columns: [
    ...bandAndCost,
    { field: 'symptom', title: 'Symptom', links: link },
    { field: 'cause_kind', title: 'Cause', width: 130, wraps: true },
    { field: 'opened', title: 'Opened', width: momentWidth },
    { field: 'lasted', title: 'Duration', width: 90 },
    { field: 'incident_id', title: 'Id', hidden: true },
    hiddenGraphFrom,
  ],
})

const worlds = wordTable({
  title: 'Worlds',
  description:
    'What the archive keeps, the latest first. Gaps: how often events were missed, as the mirror did not run.',
  empty: 'The archive is empty.',
  table: 'worlds',
  columns: [
    { field: 'world', title: 'World', unit: unit.number, width: 70 },
    { field: 'current', title: 'Current', width: 80 },
    { field: 'scale', title: 'Size', width: 90 },
    { field: 'scenario', title: 'Scenario' },
    { field: 'seed', title: 'Seed', width: 112 },
    { field: 'from', title: 'From', width: 204 },
    { field: 'to', title: 'To', width: 204 },
    { field: 'gaps', title: 'Gaps', unit: unit.number, width: 70 },
  ],
})

/** The days of the company, and what happened in them. */
export const chronicleDashboard = (): Dashboard =>
  dashboard({
    uid: 'dcsim-chronicle',
    description:
      'What happened while you were away: the days of the company, grave incidents, chapters, customers won and lost.',
    infinity: true,
    search: true,
    from: 'now-24h',
    refresh: '5m',
    sections: [
      {
        rows: [
          row(7, [
            24,
            daysTable({
              title: 'Days',
              description:
                'Incidents that opened by their highest band, minutes with a Major or Critical one, money and customers, by simulated day.',
            }),
          ]),
          row(9, [24, grave]),
          row(8, [24, eventFeed({ query: 'limit=200', title: 'Events', range: searched })]),
        ],
      },
      {
        title: 'Customers, chapters and worlds',
        rows: [
          row(7, [
            24,
            eventFeed({
              query: 'kind=CustomerSigned,CustomerLeft&limit=100',
              title: 'Customers that came and left',
              empty: 'No customer came or left in the time shown.',
            }),
          ]),
          row(7, [24, chapters]),
          row(7, [24, worlds]),
        ],
      },
    ],
  })
