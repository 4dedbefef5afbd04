import { describe, expect, test } from 'vitest'
import type { TruthLine } from '../../../src/contract/game-days/truth-line.ts'
import { belongs } from '../../../src/practice/grading/belonging.ts'
import type { Episode } from '../../../src/practice/grading/belonging.ts'
import { grade } from '../../../src/practice/grading/grade.ts'
import { gradesText } from '../../../src/practice/grading/table.ts'

function fault(id: number, from: number, to: number | null, more: Partial<TruthLine> = {}): TruthLine {
  return {
    world: 'w',
    session: null,
    fault: id,
    kind: 'HostFailure',
    origin: 'random',
    entity: { kind: 'Host', id, name: `host-${id}`, place: 'rack A-01 in the zone' },
    magnitude: 1,
    begin: { sim_s: 60 * from, wall_s: from },
    end: to === null ? null : { sim_s: 60 * to, wall_s: to },
    ended_by: to === null ? null : 'repair',
    touched: { host: [String(id)], az: ['1'], customer: ['7'], incident: [String(100 + id)] },
    incidents: [],
    alerts: [],
    customers: [{ id: 7, name: 'Clover Vale Streaming' }],
    revenue_hurt_dollars: 10,
    noticed_after_s: null,
    confirmed_after_s: null,
    repaired_after_s: null,
    ...more,
  }
}

const alert = (
  name: string,
  severity: string,
  from: number,
  labels: Readonly<Record<string, string>>,
): Episode => ({ alert: name, severity, labels, span: [from, from + 60] })

describe('an alert belongs to a fault', () => {
  const one = fault(1, 1000, 1100)
  test.each([
    ['that it names while it lasts', alert('Down', 'warning', 1050, { host: '1' }), true],
    ['that it names shortly after its end', alert('Down', 'warning', 1180, { host: '1' }), true],
    ['but not long after its end', alert('Down', 'warning', 1191, { host: '1' }), false],
    ['and not before it', alert('Down', 'warning', 990, { host: '1' }), false],
    ['and not if it names another host', alert('Down', 'warning', 1050, { host: '2', az: '1' }), false],
    [
      'whose incident it names, however late',
      alert('Incident', 'warning', 5000, { incident: '101', az: '2' }),
      true,
    ],
    [
      'and not if it names another incident',
      alert('Incident', 'warning', 1050, { incident: '9', az: '1' }),
      false,
    ],
    ['whose customer it names', alert('Slow', 'warning', 1050, { customer: '7' }), true],
    ['whose zone it names', alert('Zone', 'warning', 1050, { az: '1' }), true],
    ['if it names nothing at all', alert('Fleet', 'warning', 1050, { session: 's' }), true],
  ])('%s', (_, episode, expected) => {
    expect(belongs(episode, one, 90)).toBe(expected)
  })

  test('that reaches its whole zone, with all devices there', () => {
    const wide = fault(1, 1000, 1100, { touched: { az: ['1'], zone: ['Zone 1'] } })
    expect(belongs(alert('Down', 'warning', 1050, { switch: '9', zone: 'Zone 1' }), wide, 90)).toBe(true)
    expect(belongs(alert('Down', 'warning', 1050, { switch: '9', zone: 'Zone 2' }), wide, 90)).toBe(false)
    expect(belongs(alert('Slow', 'warning', 1050, { customer: '9', zone: 'Zone 1' }), wide, 90)).toBe(false)
  })
})

test('the table has one line for a name that has several, cut where it is too long', () => {
  const named = alert(`A\n${'x'.repeat(200)}`, 'warning', 1000, {})
  const lines = gradesText(grade([], [named], ['warning'], 90)).split('\n')
  expect(lines.filter((line) => line.startsWith(`A ${'x'.repeat(98)}  `))).toHaveLength(1)
})

describe('grades', () => {
  // Faults 1 to 3 affect a customer, 4 does not. Alerts on fault 1 fire after 10 s and 40 s, on fault 2 after
  // 20 s, on 3 never.
  const faults = [
    fault(1, 1000, 1100),
    fault(2, 2000, 2100, { kind: 'SwitchFailure' }),
    fault(3, 3000, null),
    fault(4, 4000, 4100, { customers: [] }),
  ]
  const grades = grade(
    faults,
    [
      alert('Critical', 'critical', 1010, { incident: '101' }),
      alert('Down', 'warning', 1040, { host: '1' }),
      // Within half a minute of the previous one: the same notification.
      alert('Down', 'warning', 1060, { host: '1', port: '2' }),
      alert('Down', 'warning', 2020, { host: '2' }),
      alert('Down', 'warning', 4010, { host: '4' }),
      alert('Down', 'warning', 2500, { host: '9' }),
      alert('Slow', 'info', 2050, { customer: '8' }),
    ],
    ['critical', 'warning', 'info'],
    90,
  )

  test('count alerts that are about a fault, and faults that are alerted', () => {
    expect(grades.sets).toEqual([
      {
        name: 'critical',
        fired: 1,
        rightly: 1,
        precision: 1,
        due: 3,
        alerted: 1,
        recall: 1 / 3,
        secondsToAlert: { median: 10, p90: 10, worst: 10 },
        messagesPerFault: 1,
      },
      {
        name: 'warning and graver',
        fired: 6,
        rightly: 5,
        precision: 5 / 6,
        due: 3,
        alerted: 2,
        recall: 2 / 3,
        secondsToAlert: { median: 10, p90: 20, worst: 20 },
        messagesPerFault: 1.5,
      },
      expect.objectContaining({ name: 'info and graver', fired: 7, rightly: 5, alerted: 2 }),
    ])
  })

  test('are given for each rule and each kind of fault', () => {
    expect(grades.rules.map(({ name, fired, rightly, alerted }) => [name, fired, rightly, alerted])).toEqual([
      ['Critical', 1, 1, 1],
      ['Down', 5, 4, 2],
      ['Slow', 1, 0, 0],
    ])
    expect(
      grades.kinds.map(({ name, due, alerted, secondsToAlert }) => [
        name,
        due,
        alerted,
        secondsToAlert.median,
      ]),
    ).toEqual([
      ['HostFailure', 2, 1, 10],
      ['SwitchFailure', 1, 1, 20],
    ])
  })

  test('are printed as tables', () => {
    const lines = gradesText(grades).split('\n')
    expect(lines[0]).toMatch(
      /^alerts +fired +rightly +precision +due +alerted +recall +median +90 % +worst +messages$/,
    )
    expect(lines[2]).toMatch(/^warning and graver +6 +5 +83\.3 % +3 +2 +66\.7 % +10 s +20 s +20 s +1\.5$/)
    expect(lines.find((line) => line.startsWith('Slow'))).toMatch(
      /^Slow +1 +0 +0\.0 % +3 +0 +0\.0 % +– +– +– +–$/,
    )
  })

  test('of nothing are empty', () => {
    expect(grade([], [], ['critical'], 90)).toEqual({ faults: 0, sets: [], rules: [], kinds: [] })
  })
})

test.each([
  [[], [null, null, null]],
  [[7], [7, 7, 7]],
  [
    [1, 9],
    [1, 9, 9],
  ],
  [
    [3, 1, 2],
    [2, 3, 3],
  ],
  [
    [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
    [50, 90, 100],
  ],
  [
    [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110],
    [60, 100, 110],
  ],
] as const)('of delays of %j s, median, 90th percentile and worst are %j', (delays, expected) => {
  const faults = delays.map((_, nth) => fault(nth, 1000 * (nth + 1), 1000 * (nth + 1) + 500))
  const alerts = delays.map((delay, nth) =>
    alert('Down', 'warning', 1000 * (nth + 1) + delay, { incident: `${100 + nth}` }),
  )
  const { secondsToAlert } = grade(faults, [...alerts, alert('Other', 'warning', 1, {})], ['warning'], 90)
    .sets[0]
  expect([secondsToAlert.median, secondsToAlert.p90, secondsToAlert.worst]).toEqual(expected)
})

test.each([
  [29, 1],
  [30, 2],
])('alerts of one name %i s apart are %i messages', (apart, messages) => {
  const alerts = [1010, 1010 + apart].map((at) => alert('Down', 'warning', at, { host: '1' }))
  expect(grade([fault(1, 1000, 1100)], alerts, ['warning'], 90).sets[0].messagesPerFault).toBe(messages)
})
