import { expect, test } from 'vitest'
import { figuresIn } from '../../src/sources/change-builder.ts'

const seedIn = (diagnostics: string): string => figuresIn(Buffer.from(diagnostics)).seed

test.each([
  ['without blanks', '{"simulation":{"seed":42}}', '42'],
  ['with blanks, as of Python', '{"simulation": {"seed": 42}}', '42'],
  ['on lines of its own', '{\n  "simulation" : {\n    "seed" : 42\n  }\n}', '42'],
  ['beyond 2^53', '{"simulation": {"seed": 9007199254740993}}', '9007199254740993'],
  ['beyond 2^63', '{"simulation":{"seed":18446744073709551615}}', '18446744073709551615'],
  ['below zero', '{"simulation":{"seed":-42}}', '-42'],
  ['with a fraction', '{"simulation":{"seed":0.5}}', '0.5'],
  ['as a word', '{"simulation":{"seed":"clover"}}', 'clover'],
  ['of something else', '{"weather":{"seed":7},"simulation":{"seed":42}}', '42'],
  ['that is null', '{"simulation":{"seed":null}}', ''],
  ['without a simulation', '{"simulation":null}', ''],
  ['without diagnostics', '{}', ''],
])('reads a seed %s', (_, diagnostics, seed) => {
  expect(seedIn(diagnostics)).toBe(seed)
})

test('reads scale, scenario and speed beside any seed', () => {
  const simulation = { seed: 0.5, scale: 120, scenario: 'ddos-friday', speed: 12 }
  expect(figuresIn(Buffer.from(JSON.stringify({ simulation })))).toEqual({
    seed: '0.5',
    scale: '120',
    scenario: 'ddos-friday',
    speed: 12,
  })
})
