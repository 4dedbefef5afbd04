import { nsPerDay } from '../../../contract/time-units.ts'
import type { ArchivedWorld, ChronicleDay } from '../../../contract/archive.ts'
import { bool, int, nullable, num, str } from '../../../contract/fields.ts'
import { tableLimitMax } from '../../../contract/routes.ts'
import { isoTime } from '../../../words/moments.ts'
import { listed } from '../../../words/phrases.ts'
import { idOrNone, momentColumn, severityColumn, someText } from '../../engine/columns.ts'
import { everything } from '../../engine/archive-range.ts'
import { column, defineTable } from '../../engine/table.ts'

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

function severityOf({ critical, major, minor, watch }: ChronicleDay): number {
  const counts = [watch, minor, major, critical]
  return counts.findLastIndex((count) => count > 0) + 1
}

export const days = defineTable<ChronicleDay>({
  name: 'days',
  meaning: 'The chronicle: one row for each simulated day of the archive, the latest first.',
  row: ['DayRow', 'A simulated day.'],
  worldParts: [],
  archived: 'day',
  isEach: true,
  entities: () => [],
  entitiesFor: ({ range }, { archive }) =>
    archive?.days({ ...(range ?? everything), limit: tableLimitMax }).toReversed() ?? [],
  itemsOf: (day) => [day],
  filters: {
    day: { meaning: 'Simulated day, from 0.', values: ({ day }) => [day] },
    severity: { meaning: 'Its severity, 0 to 4.', values: (day) => [severityOf(day)] },
  },
  columns: {
    day: column(int('Simulated day, from 0.', 'index'), 'day'),
    date: column(momentColumn('When it began.'), ({ day }) => isoTime(BigInt(day) * nsPerDay)),
    from: column(nullable(str('Wall time of its first event. ISO 8601.')), ({ beganMs }) =>
      isoOrNull(beganMs),
    ),
    to: column(nullable(str('Wall time of its last event. ISO 8601.')), ({ endedMs }) => isoOrNull(endedMs)),
    over: column(bool('Whether it has ended.'), 'isOver'),
    severity: column(severityColumn, severityOf),
    critical: column(int('Incidents that opened and were Critical at their worst.'), 'critical'),
    major: column(int('Incidents that opened and were Major at their worst.'), 'major'),
    minor: column(int('Incidents that opened and were Minor at their worst.'), 'minor'),
    watch: column(int('Incidents that opened and were never more than Watch.'), 'watch'),
    worst_id: column(idOrNone('gravest incident that opened'), 'worstId'),
    worst: column(nullable(str('Its name.')), ({ worst }) => worst?.replace(/ \(.*$/, '') ?? null),
    troubled_minutes: column(
      int('Simulated minutes in which an incident was open that was Major or Critical at its worst.'),
      'troubledMinutes',
    ),
    at_risk_dollars: column(
      num('Revenue at risk of its incidents at their worst, for as long as they lasted.', 'dollars'),
      'atRiskDollars',
    ),
    credited_dollars: column(num('Credits for missed promises.', 'dollars'), 'creditedDollars'),
    spent_dollars: column(num('Orders of equipment, and hires.', 'dollars'), 'spentDollars'),
    chapters: column(
      nullable(str('Chapters of the company that began, in words.')),
      ({ chapters = [] }: Partial<ChronicleDay>) => someText(chapters.join(' ')),
    ),
    won: column(nullable(str('Customers that signed.')), ({ won }) => someText(listed(won))),
    lost: column(nullable(str('Customers that left.')), ({ lost }) => someText(listed(lost))),
    orders_done: column(int('Work orders that were finished.'), 'ordersDone'),
    events: column(int('Events.'), 'events'),
  },
})

export const worlds = defineTable<ArchivedWorld>({
  name: 'worlds',
  meaning: 'The worlds in the archive, the latest first.',
  row: ['WorldInArchiveRow', 'A world in the archive.'],
  worldParts: [],
  isEach: true,
  entities: () => [],
  entitiesFor: (_asked, { archive }) => archive?.worlds() ?? [],
  itemsOf: (world) => [world],
  filters: { world: { meaning: 'Number of a world.', values: ({ number }) => [number] } },
  columns: {
    world: column(int('Number of the world in the archive.', 'index'), 'number'),
    current: column(bool('Whether it is the one that is served.'), 'isCurrent'),
    session: column(str('Name of its session.'), 'session'),
    seed: column(str('Its seed, as text.'), 'seed'),
    scale: column(str('Its size.'), 'scale'),
    scenario: column(nullable(str('Its scenario.')), ({ scenario }) => someText(scenario)),
    from: column(nullable(str('Wall time of its first event. ISO 8601.')), ({ beganMs }) =>
      isoOrNull(beganMs),
    ),
    to: column(nullable(str('Wall time of its last event. ISO 8601.')), ({ lastMs }) => isoOrNull(lastMs)),
    gaps: column(int('How often events were missed while the mirror did not see them.'), 'gaps'),
  },
})
