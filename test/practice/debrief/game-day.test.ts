import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { SessionOpening } from '../../../src/contract/game-days/session-line.ts'
import type { TruthLine } from '../../../src/contract/game-days/truth-line.ts'
import type { Band } from '../../../src/contract/vocabularies.ts'
import { gameDayOf } from '../../../src/practice/debrief/game-day.ts'
import type { GameDayFiles } from '../../../src/practice/debrief/game-day.ts'
import { debriefPage } from '../../../src/practice/debrief/page.ts'
import { readingOf } from '../../../src/practice/debrief/readings.ts'
import { missesOf, scoresOf } from '../../../src/practice/debrief/scores.ts'

/** The session begins at second 1,000 of the world and at second 5,000 of the wall clock, and runs ten times as fast. */
const opening: SessionOpening = {
  world: 'w',
  opened: {
    seed: '13',
    scale: 'small',
    speed: 10,
    warmup_s: 1_000,
    scenario: 'game-day',
    blind: true,
    began: { sim_s: 1_000, wall_s: 5_000 },
  },
}

const faultOf = (
  fault: number,
  kind: TruthLine['kind'],
  entity: TruthLine['entity'],
  more: Partial<TruthLine>,
): TruthLine => ({
  world: 'w',
  session: null,
  fault,
  kind,
  origin: 'scenario',
  entity,
  magnitude: 1,
  begin: { sim_s: 1_600, wall_s: 5_060 },
  end: { sim_s: 4_000, wall_s: 5_300 },
  ended_by: 'repair',
  touched: {},
  incidents: [],
  alerts: [],
  customers: [{ id: 1, name: 'Clover Vale Streaming' }],
  revenue_hurt_dollars: 40,
  noticed_after_s: null,
  confirmed_after_s: null,
  repaired_after_s: null,
  ...more,
})

const incidentOf = (
  id: number,
  symptom: string,
  band: Band,
  opened: number,
): TruthLine['incidents'][number] => ({
  id,
  symptom,
  bands: [band],
  opened_after_s: opened,
  confirmed_after_s: null,
  resolved_after_s: null,
})

const edge = faultOf(
  1,
  'SwitchFailure',
  { kind: 'Switch', id: 4, name: 'tfd-b-edge1', place: 'rack B-03 in Tallisford B' },
  { incidents: [incidentOf(12, 'Switch tfd-b-edge1 does not respond.', 'Major', 60)] },
)
const feed = faultOf(
  2,
  'PowerFeedLoss',
  { kind: 'PowerFeed', id: 1, name: 'power feed A of Tallisford A', place: 'Tallisford A' },
  { end: null, ended_by: null, customers: [], incidents: [incidentOf(13, '', 'Watch', 30)] },
)

const link = faultOf(
  3,
  'TransceiverFailure',
  { kind: 'Port', id: 9, name: 'tfd-c-agg1 Eth1/3', place: 'rack C-01 in Tallisford C' },
  { customers: [] },
)

describe('an answer', () => {
  test.each([
    ['switch failure at tfd-b-edge1', [{ fault: 1, isPlaced: true, isNamed: true }]],
    ['TFD-B-EDGE1 has failed, a switch', [{ fault: 1, isPlaced: true, isNamed: true }]],
    ['a cable of tfd-b-edge1 is cut', [{ fault: 1, isPlaced: true, isNamed: false }]],
    ['tfd-b-edge11 is a failed switch', [{ fault: 1, isPlaced: false, isNamed: false }]],
    ['incident 12 is somewhere in rack B-03', [{ fault: 1, isPlaced: false, isNamed: false }]],
    ['feed A of Tallisford A has no voltage', [{ fault: 2, isPlaced: true, isNamed: false }]],
    ['power feed A of Tallisford A is lost', [{ fault: 2, isPlaced: true, isNamed: true }]],
    ['Clover Vale Streaming is slow', [{ fault: 1, isPlaced: false, isNamed: false }]],
    ['power feed A of Tallisford B is lost', [{ fault: 2, isPlaced: false, isNamed: false }]],
    ['a broadcast storm', []],
    ['a cable fault between tfd-c-agg1 and tfd-c-core1', [{ fault: 3, isPlaced: false, isNamed: false }]],
    ['the feed of Tallisford A hits Clover Vale Streaming', [{ fault: 2, isPlaced: false, isNamed: false }]],
  ])('%s', (text, expected) => {
    const read = readingOf(text, [edge, feed, link])
    expect(read.map(({ fault, isPlaced, isNamed }) => ({ fault, isPlaced, isNamed }))).toEqual(expected)
  })

  test.each([
    ['power feed A of Tallisford A is lost, incident 12', [2]],
    ['no voltage in Tallisford A, incident 12', [2, 4]],
    ['power feed A of Tallisford A is lost, attack on Elm & Games', [2, 4]],
  ])('that names a part and its cause is about no other fault of its place: %s', (text, expected) => {
    const incidents = [incidentOf(12, '', 'Major', 60)]
    const entity = { kind: 'Customer', id: 5, name: 'Elm & Games', place: 'Tallisford A' } as const
    const read = readingOf(text, [feed, faultOf(4, 'Attack', entity, { incidents })])
    expect(read.map(({ fault }) => fault)).toEqual(expected)
  })
})

const files: GameDayFiles = {
  opening,
  faults: [edge, feed],
  actions: [
    {
      world: 'w',
      did: 'ordered',
      at: { sim_s: 2_500, wall_s: 5_150 },
      text: 'ordered: replace disk tfd-a-u1',
      line: 'disk',
    },
    {
      world: 'w',
      did: 'ordered',
      at: { sim_s: 2_800, wall_s: 5_180 },
      text: 'ordered: replace switch tfd-b-edge1',
      line: 'switch',
    },
  ],
  answers: [
    { wall_s: 5_070, by: 'ann', text: 'incident 12, in rack B-03', hint: null },
    { wall_s: 5_090, by: '', text: 'Hint 1', hint: { world: 'w', fault: 1, level: 1 } },
    { wall_s: 5_160, by: 'ben', text: 'switch failure at tfd-b-edge1 <b>', hint: null },
    { wall_s: 9_999, by: 'ben', text: 'after the end: power feed A of Tallisford A lost', hint: null },
  ],
  alerts: [
    { name: 'SwitchDown', severity: 'critical', wall_s: 5_068, faults: [1] },
    { name: 'LinkDown', severity: 'warning', wall_s: 5_068, faults: [1] },
    { name: 'LinkDown', severity: 'warning', wall_s: 5_068, faults: [1] },
    { name: 'LinkDown', severity: 'warning', wall_s: 5_068, faults: [] },
  ],
  orderOf: (line) =>
    line === 'switch'
      ? { on: 'tfd-b-edge1', kinds: ['SwitchFailure'] }
      : { on: 'tfd-a-u1', kinds: ['DiskFailure'] },
  harm: {
    acted: [{ customers: 2, dollarsPerHour: 60 }],
    idle: [
      { customers: 2, dollarsPerHour: 60 },
      { customers: 2, dollarsPerHour: 180 },
    ],
    isExact: true,
  },
  title: 'A game day',
  until: { sim_s: 5_000, wall_s: 5_400 },
}

describe('a game day', () => {
  const gameDay = gameDayOf(files)

  test('has the times of each fault on the clock of the session', () => {
    const [first, second] = gameDay.faults
    expect(first).toMatchObject({
      from: 600,
      to: 3_000,
      opened: 660,
      alert: { at: 680, name: 'SwitchDown' },
      seen: { at: 700, by: 'ann' },
      placed: { at: 1_600, by: 'ben' },
      named: { at: 1_600, by: 'ben' },
      endedBy: 'the team',
      hints: [{ at: 900, level: 1 }],
    })
    const nothing = { to: null, seen: null, placed: null, named: null, order: null, endedBy: null }
    expect(second).toMatchObject(nothing)
  })

  test('is scored, and says what was missed', () => {
    expect(scoresOf(gameDay).map(({ name, value, note }) => `${name}: ${value}, ${note}`)).toEqual([
      'Seen: 1 of 2, after 1 min, in the median',
      'Placed: 1 of 2, after 16 min, in the median',
      'Named: 1 of 2, after 16 min, in the median',
      'Repaired by the team: 1 of 2, over after 40 min, in the median',
      'Revenue hit: $1, $4 had nothing been done',
      "Saved: $3, 2 min of customers' trouble",
    ])
    expect(missesOf(gameDay)).toEqual([
      'Nothing was said about the power feed loss at power feed A of Tallisford A (2).',
      '"replace disk tfd-a-u1", ordered after 25 min, repaired nothing.',
    ])
    // The first answer names the incident, and with it those that it hit.
    expect(missesOf(gameDayOf({ ...files, answers: files.answers.slice(1) }))).toContain(
      'No answer said whom the switch failure at tfd-b-edge1 (1) hit: Clover Vale Streaming.',
    )
  })

  test('does not count against a team what broke before the session, and knows why a right order came to nothing', () => {
    const fan = faultOf(
      8,
      'FanFailure',
      { kind: 'Host', id: 7, name: 'nvl-a-b03-u07', place: 'rack B-03 in Nordvale A' },
      { begin: { sim_s: 900, wall_s: 4_990 }, end: null, ended_by: null },
    )
    const order = (remedy: string, kind: TruthLine['kind'], part: string, sim: number) => ({
      ...files.actions[0],
      at: { sim_s: sim, wall_s: 5_000 + (sim - 1_000) / 10 },
      text: `ordered: ${remedy} ${part}`,
      line: `${kind} ${part}`,
    })
    const told = gameDayOf({
      ...files,
      faults: [
        fan,
        { ...edge, incidents: [incidentOf(11, 'Link down.', 'Minor', -60)] },
        { ...feed, customers: [{ id: 2, name: 'Larch Finch Cloud' }] },
      ],
      actions: [
        order('replace fan', 'FanFailure', 'nvl-a-b03-u07', 1_100),
        order('end drain', 'HostDrained', 'nvl-a-b03-u15', 1_200),
        order('replace switch', 'SwitchFailure', 'tfd-b-edge1', 2_800),
        order('replace switch', 'SwitchFailure', 'tfd-b-edge1', 2_900),
        order('restore power feed', 'PowerFeedLoss', 'power feed A of Tallisford A', 3_000),
      ],
      answers: [
        { wall_s: 5_020, by: 'ann', text: 'fan failure at nvl-a-b03-u07', hint: null },
        { wall_s: 5_021, by: 'ann', text: 'a broadcast storm', hint: null },
      ],
      orderOf: (line) => {
        const [kind, ...part] = line.split(' ')
        return { on: part.join(' '), kinds: [kind as TruthLine['kind']] }
      },
    })
    expect(told.faults[0].symptom).toBe('')
    expect(missesOf(told).filter((miss) => miss.startsWith('"'))).toEqual([
      '"replace switch tfd-b-edge1", ordered after 31 min, was right, and the fault was over before it was done.',
      '"restore power feed power feed A of Tallisford A", ordered after 33 min, was right, and is not finished.',
      '"a broadcast storm", after 3 min, is about nothing that was broken.',
    ])
  })

  test('tells truth, symptoms, alerts, answers, hints and actions in order', () => {
    expect(gameDay.log.map(({ at, kind }) => `${at} ${kind}`)).toEqual(
      [
        '600 truth, 600 truth, 660 symptom, 680 alert, 680 alert, 700 answer, 900 hint, 1500 action',
        '1600 answer, 1800 action, 3000 truth',
      ].flatMap((line) => line.split(', ')),
    )
    const alerts = gameDay.log.filter(({ kind }) => kind === 'alert').map(({ text }) => text)
    expect(alerts).toEqual(['SwitchDown (critical)', 'LinkDown (warning), 2 times'])
  })

  test('is a page that loads and runs nothing, in which texts of files are text', () => {
    const hostile = '</style><img src=x onerror=alert(1)>'
    const hostileDay = {
      ...gameDay,
      title: hostile,
      world: hostile,
      faults: gameDay.faults.map((fault) => ({
        ...fault,
        cause: hostile,
        name: hostile,
        place: hostile,
        customers: [hostile],
        seen: { at: 700, by: hostile },
        endedBy: hostile as 'itself',
      })),
      log: gameDay.log.map((entry) => ({ ...entry, text: hostile, by: hostile })),
    }
    const page = debriefPage(hostileDay)
    expect(page).not.toContain('<img')
    const style = /<style>([^]*?)<\/style>/.exec(page)![1]
    const hash = createHash('sha256').update(style).digest('base64')
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">`,
    )
  })

  test('is a page without references to elsewhere, in which answers are text', () => {
    const page = debriefPage(gameDay)
    expect(page).toContain('switch failure at tfd-b-edge1 &lt;b&gt;')
    expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
      /(?:src|href)=|url\(|@import|<script|<b>\s*<\/span>|https?:/,
    )
    expect(page).toContain('do not add up to the total')
    expect(page.match(/<svg /g)).toHaveLength(3)
    expect(page).toContain('rack B-03 in Tallisford B; from ')
    expect(page).toContain('; a hint taken</small>')
  })
})

test('a right answer long after the end is late, and no fault is named before it is placed', () => {
  const answer = (wall: number, text: string) => ({ ...files.answers[0], wall_s: wall, by: 'ann', text })
  const over = { ...edge, end: { sim_s: 1_700, wall_s: 5_070 } }
  const late = {
    ...files,
    faults: [over, feed],
    answers: [answer(5_380, 'switch failure at tfd-b-edge1')],
    actions: [],
  }
  expect(missesOf(gameDayOf(late))).toEqual(
    expect.arrayContaining([
      'Nothing was said in time about the switch failure at tfd-b-edge1 (1).',
      expect.stringMatching(
        /^"switch failure at tfd-b-edge1" came late: the switch failure at tfd-b-edge1 \(1\) had ended 5\d min.* before\.$/,
      ),
    ]),
  )
  const lost = answer(5_070, 'power feed A of Tallisford B is lost')
  const early = {
    ...files,
    answers: [lost, answer(5_100, 'feed A of Tallisford A has no voltage')],
    actions: [],
  }
  const [, { placed, named }] = gameDayOf(early).faults
  expect([placed?.at, (named?.at ?? Infinity) >= placed!.at]).toEqual([1_000, true])
})

test.each([
  [4_500, 5_000, '', 3],
  [4_700, 5_000, '', 2],
  [4_700, 5_000, 'errors at tfd-c-agg1 Eth1/3', 3],
  [20_399, 21_000, '', 3],
  [20_400, 21_000, '', 2],
])(
  'a third fault, from second %i to the end at %i, and the answer "%s": %i faults count',
  (sim_s, end, text, count) => {
    const last = {
      ...link,
      customers: edge.customers,
      begin: { sim_s, wall_s: 4_900 + sim_s / 10 },
      end: null,
    }
    const answers = [{ ...files.answers[0], wall_s: 5_390, text }]
    const until = { sim_s: end, wall_s: 4_900 + end / 10 }
    const gameDay = gameDayOf({ ...files, faults: [edge, feed, last], answers, until })
    expect(gameDay.faults).toHaveLength(count)
    expect(missesOf(gameDay).includes('1 more fault began in the last minutes.')).toBe(count === 2)
  },
)

test('alike faults about which nothing was said are one row, and a repair of a feed finds it by its short name', () => {
  const surge = (fault: number) => {
    const entity = { kind: 'Customer', id: fault, name: `Customer ${fault}`, place: 'Tallisford A' } as const
    return faultOf(fault, 'DemandSurge', entity, { ended_by: 'itself' })
  }
  const order = { ...files.actions[1], text: 'ordered: restore feed A of Tallisford A', line: 'feed' }
  const gameDay = gameDayOf({
    ...files,
    faults: [...Array.from({ length: 47 }, (_, nth) => surge(nth + 10)), { ...feed, ...ended }],
    actions: [order],
    answers: [],
    orderOf: () => ({ on: 'feed A of Tallisford A', kinds: ['PowerFeedLoss'] }),
  })
  expect(gameDay.faults.map(({ number, name, endedBy }) => `${number}: ${name}, by ${endedBy}`)).toEqual([
    '1: Customer 10, Customer 11, Customer 12 and 44 more, by itself',
    '2: power feed A of Tallisford A, by the team',
  ])
  expect(debriefPage(gameDay)).toContain('<time>00:26 (01:24:20)</time><i>truth</i><span>Fault 1, ')
})

const ended = { end: { sim_s: 4_000, wall_s: 5_300 }, ended_by: 'repair' } as const
