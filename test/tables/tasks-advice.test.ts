import { describe, expect, test } from 'vitest'
import type { IncidentRecord, ProspectRecord, WorkOrderRecord } from '../../src/contract/collections.ts'
import { ProspectSchema } from '../../src/contract/records/customers.ts'
import { IncidentSchema, QuestSchema, WorkOrderSchema } from '../../src/contract/records/operations.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf, rowsNamed, worldOf } from './framed-worlds.ts'

const diagnosed = 'Tala J. finished 13 min after its beginning: Diagnose the problem with power feed A.'

const incident = emptyRecord(IncidentSchema, {
  id: 7n,
  band: 'Major',
  confirmed: true,
  timeline: [{ at_ns: 1n, kind: 'WorkDone', detail: diagnosed }],
})

const order = (given: Partial<WorkOrderRecord>): WorkOrderRecord =>
  emptyRecord(WorkOrderSchema, { id: 3n, kind_label: 'Restore power feed A', incident_id: 7n, ...given })

const prospect = (fit_recommendation: ProspectRecord['fit_recommendation']): ProspectRecord =>
  emptyRecord(ProspectSchema, { id: 1n, name: 'Alder', fit_can_serve_now: true, fit_recommendation })

async function tasksWith(
  workOrders: readonly WorkOrderRecord[],
  prospects: readonly ProspectRecord[] = [],
  incidents: readonly IncidentRecord[] = [incident],
) {
  const snapshot = snapshotWith({ incidents, workOrders, prospects } as never)
  return rowsNamed('tasks', worldOf(frameOf(snapshot)))
}

const adviceOn = async (kind: string, workOrders: readonly WorkOrderRecord[]) =>
  (await tasksWith(workOrders)).find((task) => task['kind'] === kind)!['advice']

test('an incident with finished work names the next step', async () => {
  expect(await adviceOn('incident', [])).toBe(`${diagnosed} No other work is ordered yet.`)
  expect(await adviceOn('incident', [order({})])).toBe('Restore power feed A is ordered.')
  expect(await adviceOn('incident', [order({ blocking: 'NoSpare' })])).toMatch(
    /^Restore power feed A waits: /,
  )
  expect(await adviceOn('incident', [order({ started_at_ns: 2n })])).toBe(
    'Restore power feed A is under way.',
  )
  expect(await adviceOn('incident', [order({ resolved_at_ns: 2n })])).toMatch(/No other work/)
})

test.each([
  ['No symptoms remain. It closes if none returns.', 'No symptoms remain. It closes if none returns.'],
  [
    'Cause known: Feed A has lost its supply. See the work orders for progress.',
    'No other work is ordered yet.',
  ],
])('after the last work on a known cause, the hint "%s" leads to: %s', async (hint, next) => {
  const [{ advice }] = await tasksWith([], [], [{ ...incident, hint }])
  expect(advice).toBe(`${diagnosed} ${next}`)
})

test('routine work does not stand above a Major incident that is being worked on', async () => {
  const routine = order({ id: 4n, incident_id: null, kind_label: 'Clean', blocking: 'NobodyOnShift' })
  const kinds = (await tasksWith([order({ started_at_ns: 2n }), routine])).map((task) => task['kind'])
  expect(kinds).toStrictEqual(['incident', 'work'])
})

test('advice to add capacity first does not contradict the placement forecast', async () => {
  const [add] = await tasksWith([], [prospect('AddCapacity')], [])
  expect(add['advice']).toBe('Add capacity first. It would leave too little in reserve.')
  const [accept] = await tasksWith([], [prospect('Accept')], [])
  expect(accept['advice']).toBe('Accept. All of it can be placed now.')
})

test('a prospect that expires earlier stands above one as urgent', async () => {
  const [first, second] = [2n, 1n].map((days, id) =>
    emptyRecord(ProspectSchema, {
      id: BigInt(id),
      name: `In ${days} d`,
      expires_at_ns: days * 86_400n * 10n ** 9n,
    }),
  )
  const tasks = await tasksWith([], [first, second], [])
  expect(tasks.map(({ task }) => task)).toEqual([
    'In 1 d (Bronze): its request expires in 1 d.',
    'In 2 d (Bronze): its request expires in 2 d.',
  ])
})

describe('the severity of a task', () => {
  const severities = async (given: object) =>
    rowsNamed('tasks', worldOf(frameOf(snapshotWith(given)))).map(({ kind, severity }) => [kind, severity])
  const at = (band: string, given: Partial<IncidentRecord> = {}) =>
    emptyRecord(IncidentSchema, { id: 7n, band: band as 'Watch', ...given })
  const confirmed = { confirmed: true }
  const worked = { ...confirmed, timeline: incident.timeline }

  test('is of an incident that the world at a glance names', () => {
    const [world] = rowsNamed('world', worldOf(frameOf(snapshotWith({ incidents: [at('Minor')] }))))
    expect(world['next']).toBe('Incident 7: No order is for this incident.')
  })

  const quest = emptyRecord(QuestSchema, {
    state: 'Next',
    title: 'quest.first-light.title',
    blurb: 'quest.first-light.blurb',
    blurb_args: ['goal', 'reached'].map((key, number) => ({
      key,
      text: `${number}`,
      number,
      is_number: true,
    })),
  })
  test.each<[string, object]>([
    ['Quest "First light": Serve 0 customers at the same time. Now: 1.', { quests: [quest] }],
    [
      'Order "Restore power feed A" waits: a spare part.',
      { quests: [quest], workOrders: [order({ blocking: 'NoSpare' })] },
    ],
    [
      'Order "Restore power feed A" waits: a technician, as none on shift has the skill.',
      { quests: [quest], workOrders: [order({ blocking: 'NobodyOnShift' })] },
    ],
    ['Alder (Bronze): its request expires now.', { quests: [quest], prospects: [prospect('Accept')] }],
  ])('is of what the world at a glance says in a sentence: %s', async (text, given) => {
    const [world] = rowsNamed('world', worldOf(frameOf(snapshotWith(given))))
    expect(world['next']).toBe(text)
  })

  test.each<[IncidentRecord, WorkOrderRecord[], number]>([
    [at('Watch'), [], 1],
    [at('Minor'), [], 2],
    [at('Major'), [], 3],
    [at('Critical'), [], 4],
    [at('Critical', confirmed), [], 4],
    [at('Critical', { timeline: incident.timeline }), [], 4],
    [at('Critical', worked), [], 3],
    [at('Critical', confirmed), [order({})], 3],
    [at('Critical', confirmed), [order({ incident_id: 8n })], 4],
    [at('Critical', confirmed), [order({ resolved_at_ns: 1n })], 4],
    [at('Minor', worked), [], 1],
    [at('Watch', worked), [], 1],
  ])('about incident %o with work %o is %i', async (about, workOrders, severity) => {
    expect(await severities({ incidents: [about], workOrders })).toEqual([['incident', severity]])
  })

  test.each<[string, object, [string, number][]]>([
    ['work that waits', { workOrders: [order({ blocking: 'NoSpare' })] }, [['work', 2]]],
    [
      'upkeep that waits, below the next quest',
      {
        workOrders: [order({ kind: 'Upkeep', blocking: 'NobodyOnShift' })],
        quests: [emptyRecord(QuestSchema, { state: 'Next' })],
      },
      [
        ['quest', 0],
        ['work', 0],
      ],
    ],
    ['work that is done', { workOrders: [order({ blocking: 'NoSpare', resolved_at_ns: 1n })] }, []],
    ['work that does not wait', { workOrders: [order({})] }, []],
    ['the next quest', { quests: [emptyRecord(QuestSchema, { state: 'Next' })] }, [['quest', 0]]],
    ['a quest that is done', { quests: [emptyRecord(QuestSchema, { state: 'Done' })] }, []],
    ['a prospect in its last 2 hours', { prospects: [prospect('Accept')] }, [['prospect', 3]]],
    [
      'incidents of band Watch: two of them',
      { incidents: [at('Watch'), at('Watch', { id: 8n }), at('Watch', { id: 9n })] },
      [
        ['incident', 1],
        ['incident', 1],
      ],
    ],
    [
      'incidents of band Watch beside a graver one: none',
      { incidents: [at('Watch'), at('Minor', { id: 8n })] },
      [['incident', 2]],
    ],
    [
      'the most urgent first',
      {
        incidents: [at('Watch')],
        workOrders: [order({ blocking: 'NoSpare' })],
        prospects: [prospect('Accept')],
      },
      [
        ['prospect', 3],
        ['work', 2],
        ['incident', 1],
      ],
    ],
  ])('%s', async (_, given, expected) => {
    expect(await severities(given)).toEqual(expected)
  })
})

test.each([
  [['Watch'], 1],
  [['Watch', 'Watch', 'Watch'], 2],
  [['Watch', 'Minor', 'Major', 'Minor'], 3],
] as const)('of incidents in the bands %j, %d are tasks', async (bands, count) => {
  const incidents = bands.map((band, index) =>
    emptyRecord(IncidentSchema, { id: BigInt(index + 1), band, confirmed: true }),
  )
  const kinds = (await tasksWith([], [], incidents)).map((task) => task['kind'])
  expect(kinds).toEqual(Array(count).fill('incident'))
})
