import { expect, test } from 'vitest'
import { optionsOf } from './command-line.ts'
import type { Finding, Row } from './finding.ts'

const row = (name: string): Row => ({ name, measure: () => Promise.resolve<Finding[]>([]) })
const [page, step, attached, steps] = ['page', 'step', 'attached', 'steps'].map(row)
const sets = { short: [page], standard: [page, step], long: [attached, steps] }
const namesFor = (...words: string[]): string[] =>
  optionsOf(words, sets, 'results.json').rows.map(({ name }) => name)

test('rows are chosen by how long they take, or by name', () => {
  expect(namesFor()).toEqual(['page', 'step'])
  expect(namesFor('--short')).toEqual(['page'])
  expect(namesFor('--long')).toEqual(['attached', 'steps'])
  expect(namesFor('--only', 'te')).toEqual(['step', 'steps'])
  expect(namesFor('--only', 'step')).toEqual(['step'])
})

test('what cannot be chosen is named', () => {
  expect(() => namesFor('--only', 'pages')).toThrow(
    'No row is called "pages"; there are page, step, attached, steps.',
  )
  expect(() => namesFor('--short', '--long')).toThrow(
    '--short, --long and --only choose rows: expected one of them at most.',
  )
  expect(() => namesFor('--summary', 'ten')).toThrow('--summary expects a number of runs, not "ten".')
})

test('a history to compare with and one to add to', () => {
  expect(optionsOf([], sets, 'results.json')).toMatchObject({ compare: null, history: 'results.json' })
  const words = ['--compare', 'a.json', '--history', 'b.json', '--summary', '10']
  expect(optionsOf(words, sets, 'results.json')).toMatchObject({
    compare: 'a.json',
    history: 'b.json',
    summary: 10,
  })
})
