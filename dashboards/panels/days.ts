import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import type { DashboardLink, Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { fromJsonRow } from '../layout/links.ts'
import { inTimeShown } from '../queries/targets.ts'
import { unit } from '../style/look.ts'
import { wordTable } from '../visualizations/tables.ts'

const days = {
  day: { field: 'day', title: 'Day', decimals: 0, width: 50, evens: true },
  worst: {
    field: 'worst',
    title: 'Gravest incident',
    links: [fromJsonRow('dcsim-incident', 'incident', 'worst_id')],
  },
  critical: { field: 'critical', title: 'Critical', unit: unit.number, width: 72 },
  major: { field: 'major', title: 'Major', unit: unit.number, width: 60 },
  troubled_minutes: { field: 'troubled_minutes', title: 'Trouble', unit: unit.minutes, width: 75 },
  at_risk_dollars: { field: 'at_risk_dollars', title: 'At risk', unit: unit.dollars, decimals: 0, width: 76 },
  credited_dollars: {
    field: 'credited_dollars',
    title: 'Credits',
    unit: unit.dollars,
    decimals: 0,
    width: 76,
  },
} as const

/** A day without a head above it. */
const namedDay = { ...days.day, unit: unit.day, width: 64, evens: false } as const

/** The link of the gravest incident needs its id. */
const hiddenId = { field: 'worst_id', title: 'Id', hidden: true } as const

type DayColumn = keyof typeof days

interface DaysShown {
  readonly title: string
  readonly description: string
  readonly columns?: readonly DayColumn[]
  readonly links?: readonly Builder<DashboardLink>[]
  readonly untitled?: boolean
}

/** The chronicle: the simulated days of the time shown, the latest first. */
export const daysTable = ({ columns = Object.keys(days) as DayColumn[], ...shown }: DaysShown): Panel =>
  wordTable({
    ...shown,
    empty: 'No simulated day has anything in the time shown.',
    table: 'days',
    query: `limit=400&${inTimeShown}`,
    tinted: true,
    columns: [
      ...columns.map((name) => (name === 'day' && shown.untitled === true ? namedDay : days[name])),
      hiddenId,
    ],
  })
