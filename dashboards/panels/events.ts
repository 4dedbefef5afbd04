import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { severityLevels } from '../style/states.ts'
import { inTimeShown } from '../queries/targets.ts'
import { momentWidth, wordTable } from '../visualizations/tables.ts'

interface EventsShown {
  readonly title?: string
  /** Filters of the table `events`, as in a URL. */
  readonly query?: string
  readonly empty?: string
  readonly untitled?: boolean
  /** Which part of the archive is shown. */
  readonly range?: string
}

/** Events of the time shown in words, the latest first. Times are simulated. */
export const eventFeed = ({
  title = 'What happened',
  query = 'limit=30',
  empty = 'Nothing happened in the time shown.',
  untitled = false,
  range = inTimeShown,
}: EventsShown = {}): Panel =>
  wordTable({
    title,
    description: 'The latest events of the time shown, in words, the latest first. Times are simulated.',
    empty,
    table: 'events',
    tinted: true,
    untitled,
    lines: 2,
    query: `${query}&${range}`,
    columns: [
      {
        field: 'severity',
        title: 'Severity',
        width: 74,
        mappings: severityLevels,
        evens: true,
      },
      { field: 'what', title: 'Event' },
      { field: 'when', title: 'When', width: momentWidth },
    ],
  })
