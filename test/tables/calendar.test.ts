/** The wear-out calendar: its order, how far each row is, and rows without a date. */
import { expect, test } from 'vitest'
import type { Collections } from '../../src/contract/collections.ts'
import { collections } from '../../src/contract/collections.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf, rowsNamed, worldOf } from './framed-worlds.ts'

const dayNs = 86_400_000_000_000
const [host, customer, incident] = [collections.hosts, collections.customers, collections.incidents]

/** Rows as `kind what: ends, state, severity`, at the end of the first day. */
function calendarOf(given: Partial<Collections>): readonly string[] {
  const snapshot = { ...snapshotWith(given), simTimeNs: BigInt(dayNs) }
  return rowsNamed('calendar', worldOf(frameOf(snapshot))).map(
    ({ kind, what, ends, state, severity }) => `${kind} ${what}: ${ends}, ${state}, ${severity}`,
  )
}

const aHost = (wear: number, condition: number, age_hours = 2400) =>
  emptyRecord(host, {
    id: 1,
    display_name_plain: 'h1',
    wear_factor: wear,
    condition_pct: condition,
    age_hours,
  })

test.each<[wear: number, condition: number, rows: readonly string[]]>([
  [0, 100, []],
  // A centuries-long life would follow from disks as good as new.
  [0.049, 96, []],
  [0.05, 95, ['disks h1: in 1900 d, 5 % worn, 0']],
  [0.5, 50, ['disks h1: in 100 d, 50 % worn, 0']],
  [0.8, 20, ['disks h1: in 25 d, 80 % worn, 1']],
  [0.89, 11, ['disks h1: in 12 d, 89 % worn, 1']],
  [0.9, 10, ['disks h1: in 11 d, 90 % worn, 2']],
  [1, 0, ['disks h1: now, 100 % worn, 3']],
  [0.5, 21, ['host h1: in 27 d, 79 % worn, 1', 'disks h1: in 100 d, 50 % worn, 0']],
  [0.5, 20, ['host h1: in 25 d, 80 % worn, 2', 'disks h1: in 100 d, 50 % worn, 0']],
])('a host of 100 days, its disks worn by %d, in a condition of %i %%', (wear, condition, rows) => {
  expect(calendarOf({ hosts: [aHost(wear, condition)] })).toEqual(rows)
})

test('what has no age has no date and stands last, worn most first', () => {
  const unit = { working: true, capacity_kw: 10, load_kw: 5 }
  const azs = [
    emptyRecord(collections.azs, {
      id: 1,
      cooling_units: [
        { ...unit, id: 1, name: 'crac1', condition_pct: 90 },
        { ...unit, id: 2, name: 'crac2', condition_pct: 15 },
        { ...unit, id: 3, name: 'crac3', condition_pct: 100 },
      ],
    }),
  ]
  expect(calendarOf({ azs, hosts: [aHost(0.1, 90)] })).toEqual([
    'disks h1: in 900 d, 10 % worn, 0',
    'cooling unit crac2: null, 85 % worn, 2',
    'cooling unit crac1: null, 10 % worn, 0',
  ])
})

test.each([
  ['Probation', 3, ['probation Anvil: in 2 d, on probation, uneasy, 3']],
  ['Leaving', 3, ['contract Anvil: in 2 d, leaving, uneasy, 3']],
  ['Leaving', null, []],
  ['Onboarding', 3, []],
] as const)('a customer that is %s until day %s', (lifecycle, day, rows) => {
  const pending_until_ns = day === null ? null : day * dayNs
  const record = { id: 1, name: 'Anvil', lifecycle, pending_until_ns, satisfaction_label: 'Uneasy' } as const
  expect(calendarOf({ customers: [emptyRecord(customer, record)] })).toEqual(rows)
})

test.each([
  ['ExpiredCertificate', true, ['certificate Anvil: 1 d ago, expired, 3']],
  ['ExpiredLicense', true, ['license Anvil: 1 d ago, expired, 3']],
  ['ExpiredLicense', false, []],
  ['Attack', true, []],
] as const)('an incident with the cause %s, confirmed: %s', (root_kind, confirmed, rows) => {
  const root_msg_args = [{ key: 'name', text: 'Anvil', number: 0, is_number: false }]
  const record = { id: 1, root_kind, confirmed, root_msg_args, band: 'Major' as const, resolved_at_ns: null }
  expect(calendarOf({ incidents: [emptyRecord(incident, { ...record, started_at_ns: 0 })] })).toEqual(rows)
})
