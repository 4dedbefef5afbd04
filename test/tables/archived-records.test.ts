/** The question to the archive. */
import { describe, expect, test } from 'vitest'
import type { ArchiveQuery } from '../../src/contract/archive.ts'
import type { IncidentRecord } from '../../src/contract/collections.ts'
import { IncidentSchema } from '../../src/contract/records/operations.ts'
import { FrameRecords } from '../../src/tables/engine/frame-records.ts'
import { everything } from '../../src/tables/engine/archive-range.ts'
import type { ArchiveRange } from '../../src/tables/engine/archive-range.ts'
import { archiveQueryOf } from '../../src/tables/engine/archived-records.ts'
import type { AnyTable } from '../../src/tables/engine/table.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf } from './framed-worlds.ts'

const incident = (id: number): IncidentRecord => emptyRecord(IncidentSchema, { id })

/** The incidents 5 and 6 are open in the frame, 3 and 4 resolved. */
const live = new FrameRecords(
  frameOf(
    snapshotWith({
      incidents: [incident(5), incident(6)],
      resolvedIncidents: [incident(3), incident(4)],
    }),
  ),
)

const tableOf = (archived: AnyTable['archived'], isEach = true) => ({ archived, isEach }) as AnyTable
const page = { filters: new Map<string, string[]>(), sort: null, offset: 20, limit: 10 }
const ofIncident = (...values: string[]) => ({ ...page, filters: new Map([['incident', values]]) })
const since5: ArchiveRange = { ...everything, fromMs: 5 }
const searched = 50_000

describe('the question to the archive', () => {
  type Asked = Pick<ArchiveQuery, 'incidents' | 'limit'> | null
  test.each<[string, AnyTable['archived'], object, Asked]>([
    ['without an archive', undefined, { ...page, range: since5 }, null],
    ['of days', 'day', { ...page, range: since5 }, null],
    ['without a span', 'incident', page, null],
    ['with the span null', 'incident', { ...page, range: null }, null],
    ['with a span', 'incident', { ...page, range: since5 }, { incidents: null, limit: 30 }],
    ['of events', 'event', { ...page, range: since5 }, { incidents: null, limit: 30 }],
    ['in an order', 'event', { ...page, range: since5, sort: {} }, { incidents: null, limit: searched }],
    [
      'with another filter',
      'event',
      { ...page, range: since5, filters: new Map([['kind', ['x']]]) },
      { incidents: null, limit: searched },
    ],
    ['of the first open incident', 'incident', ofIncident('5'), null],
    ['of the first resolved incident', 'incident', ofIncident('3'), null],
    ['of the last ones', 'order', ofIncident('6', ' 4'), null],
    ['of an earlier incident', 'incident', ofIncident('2'), { incidents: [2n], limit: 30 }],
    ['of a later one', 'incident', ofIncident('7'), { incidents: [7n], limit: 30 }],
    ['of one of both', 'order', ofIncident('5,2 '), { incidents: [5n, 2n], limit: 30 }],
    ['of one of both, in turn', 'order', ofIncident('2', '5'), { incidents: [2n, 5n], limit: 30 }],
    ['of an incident by name', 'incident', ofIncident('all'), null],
    ['of one by id and one by name', 'incident', ofIncident('2', 'all'), null],
    ['of an incident of twenty digits', 'incident', ofIncident('12345678901234567890'), null],
    [
      'of one by name, with a span',
      'incident',
      { ...ofIncident('all'), range: since5 },
      { incidents: null, limit: searched },
    ],
    ['of events of an earlier incident', 'event', ofIncident('2'), null],
    [
      'of events of an incident, with a span',
      'event',
      { ...ofIncident('2'), range: since5 },
      { incidents: null, limit: searched },
    ],
    [
      'of an incident and another filter',
      'order',
      {
        ...page,
        filters: new Map([
          ['incident', ['2']],
          ['kind', ['x']],
        ]),
      },
      { incidents: [2n], limit: searched },
    ],
    [
      'of an incident in an order',
      'order',
      { ...ofIncident('2'), sort: {} },
      { incidents: [2n], limit: searched },
    ],
  ])('%s', (_, archived, request, asked) => {
    const query = archiveQueryOf(tableOf(archived), request as never, live)
    const range = 'range' in request && request.range === since5 ? since5 : everything
    expect(query).toEqual(asked === null ? null : { ...range, kind: archived, ...asked })
  })

  test('where an entity has several rows, is for all that may have them', () => {
    const query = archiveQueryOf(tableOf('incident', false), { ...page, range: since5 }, live)
    expect(query!.limit).toBe(searched)
  })
})
