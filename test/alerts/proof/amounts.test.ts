import { expect, test } from 'vitest'
import { AmountNotes, wrongAmount } from './amounts.ts'
import type { Amount, Sight } from './claim.ts'

const at100 = [100, 160] as const
const noted = (value: number): readonly (readonly [number, number])[] => [[120, value]]

const right: readonly (readonly [Amount['unit'], string, number])[] = [
  ['percent', 'Westholm A drops 60% of its WAN traffic', 0.602],
  ['percent', 'Westholm A drops 1.9% of its WAN traffic', 0.0188],
  ['celsius', 'Cooling in Westholm A has failed: rack inlet air at 21.5 °C', 21.46],
  ['times', 'Requests of Gold customers fail at 228.4 times the rate that the SLA allows', 228.44],
  ['times', 'Switch whm-a-core1 loses 1.2 frames per simulated second', 1.23],
  ['count', '1,204 units stranded in Westholm B', 1204],
  ['count', '1 work order waits for a technician', 1],
  ['dollars', 'Customers cost more than they pay: margin -$1,200 in 30 simulated days', -1200.4],
  ['duration', 'The incident has been open for 1h 45m of simulated time', 6300],
  ['duration', 'It has been open for 2d 4h of simulated time', 187_200],
]

test.each(right)('an amount in %s is read and accepted: %s', (unit, text, value) => {
  expect(wrongAmount(text, { unit }, noted(value), at100)).toBeNull()
})

test.each(right)('twice the amount in %s is found: %s', (unit, text, value) => {
  expect(wrongAmount(text, { unit }, noted(2 * value), at100)).toMatch(/ is /)
})

test('an outdated amount is wrong, and a missing amount is reported', () => {
  expect(wrongAmount('drops 60% of', { unit: 'percent' }, [[10, 0.6]], at100)).toBe(
    '60% is nothing that the world has',
  )
  expect(wrongAmount('drops much', { unit: 'percent' }, noted(0.6), at100)).toBe('no percent is stated')
})

test('amounts are noted at scrapes, near the limit, and again after half a minute', () => {
  const notes = new AmountNotes()
  const claim = { key: [], look: () => [], amount: { unit: 'percent', scale: 0.5 } } as const
  for (let at = 0; at <= 40; at++)
    notes.note('DcsimLinkFull', claim, { at } as Sight, [
      ['1', 1.2],
      ['2', 0.1],
    ])
  expect(notes.amounts).toStrictEqual({
    DcsimLinkFull: {
      1: [
        [0, 0.6],
        [35, 0.6],
      ],
    },
  })
})
