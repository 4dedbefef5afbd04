import { describe, expect, test } from 'vitest'
import { parseScenario, stepsMax, textLengthMax } from '../../../src/world/scenarios/parse-scenario.ts'
import { day, hour, minute, second } from '../../../src/world/simulation/time.ts'
import { reviewedTexts } from '../../fixtures/reviewed-texts.ts'

const texts = reviewedTexts(new URL('./texts/', import.meta.url))

const head = '"name": "a", "title": "A", "description": "An afternoon."'
const scenarioOf = (steps: string): string => `{ ${head}, "steps": [${steps}] }`
const oneStep = (members: string): string => scenarioOf(`\n{ "at": "1h", ${members} }`)

function problemOf(text: string): string {
  const reading = parseScenario(text)
  if ('scenario' in reading) return 'no problem'
  const { line, column, message } = reading.problem
  return `${line}:${column} ${message}`
}

function read(text: string) {
  const reading = parseScenario(text)
  if ('problem' in reading) throw new Error(problemOf(text))
  return reading.scenario
}

describe('a scenario', () => {
  test('is read whole', () => {
    const text = `{
      "name": "core-switch",
      "title": "A core switch dies",
      "description": "At the evening peak.",
      "spontaneity": 0.5,
      "times_count_from": "beginning",
      "warmup": "2d",
      "steps": [
        {
          "at": "2d 4h",
          "do": "SwitchFailure",
          "target": { "kind": "Switch", "zone": 2, "role": "core", "pick": "busiest" },
          "for": "90m"
        }
      ]
    }`
    expect(read(text)).toEqual({
      name: 'core-switch',
      title: 'A core switch dies',
      description: 'At the evening peak.',
      spontaneity: 0.5,
      timesCountFrom: 'beginning',
      warmup: 2 * day,
      steps: [
        {
          at: 2 * day + 4 * hour,
          action: 'SwitchFailure',
          target: {
            kind: 'Switch',
            id: null,
            zone: 2,
            name: null,
            role: 'core',
            side: null,
            tier: null,
            pick: 'busiest',
            count: 1,
            share: null,
          },
          magnitude: 1,
          duration: 90 * minute,
          attackClass: null,
        },
      ],
      schedule: null,
    })
  })

  test('may hold comments', () => {
    const text = `// Friday\n{ ${head}, /* none yet */ "steps": [] }`
    expect(read(text)).toMatchObject({ name: 'a', steps: [] })
  })

  test('has the usual spontaneity and counts from the end of the warm-up by default', () => {
    expect(read(scenarioOf(''))).toMatchObject({
      spontaneity: 1,
      timesCountFrom: 'warm-up',
      warmup: null,
      steps: [],
    })
  })

  test('orders its steps by time, and steps of the same time as in the file', () => {
    const at = (time: string, id: number) =>
      `{ "at": "${time}", "do": "HostFailure", "target": { "kind": "Host", "id": ${id} } }`
    const { steps } = read(scenarioOf([at('3h', 1), at('1h', 2), at('3h', 3), at('1h', 4)].join(',')))
    expect(steps.map(({ target }) => target.id)).toEqual([2, 4, 1, 3])
  })

  test.each([
    ['10s', 10 * second],
    ['90m', 90 * minute],
    ['36h', 36 * hour],
    ['2d 4h', 52 * hour],
    ['1d 2h 3m 4s', day + 2 * hour + 3 * minute + 4 * second],
    ['0h', 0],
  ])('reads the time %s', (text, at) => {
    const [step] = read(
      scenarioOf(`{ "at": "${text}", "do": "HostFailure", "target": { "kind": "Host", "id": 1 } }`),
    ).steps
    expect(step.at).toBe(at)
  })

  test.each([
    ['TransceiverFailure', 'Port', 0.2],
    ['FirmwareFault', 'Switch', 0.6],
    ['AddonThrottling', 'Gateway', 0.6],
    ['HostFailure', 'Host', 1],
  ])('gives %s its default magnitude', (action, kind, magnitude) => {
    const [step] = read(oneStep(`"do": "${action}", "target": { "kind": "${kind}" }`)).steps
    expect(step.magnitude).toBe(magnitude)
  })
})

const host = '"do": "HostFailure", "target": { "kind": "Host", "id": 1 }'

describe('an error names its line and column, what was expected and what came', () => {
  test.each<[problem: string, text: string]>([
    ['1:1 expected a value, got the end of the text', ''],
    ['1:11 expected a value, got "\\"a"', '{ "name": "a\n" }'],
    ['1:27 nesting is deeper than 16 levels', `{ "steps": ${'['.repeat(100_000)}`],
    ['2:1 missing "title": expected a text of 1 to 80 characters', '\n{ "name": "a" }'],
    ...Array.from(texts.blocks('refused-scenarios'), ([problem, lines]): [string, string] => [
      problem,
      lines.join('\n'),
    ]),
  ])('%s', (problem, text) => {
    expect(problemOf(text)).toBe(problem)
  })

  test('a text that is too long', () => {
    expect(problemOf(' '.repeat(textLengthMax + 1))).toBe(
      '1:1 expected at most 200000 characters, got 200001',
    )
  })

  test('too many steps', () => {
    const step = `{ "at": "1h", ${host} }`
    const text = scenarioOf(Array.from({ length: stepsMax + 1 }, () => step).join(','))
    expect(problemOf(text)).toBe('1:71 expected at most 200 steps, got 201')
  })

  test('the first mistake is explained, and the lines of others are named', () => {
    const step = (word: string): string => `{ "at": "1h", "do": "${word}", "target": { "kind": "Host" } }`
    const words = ['HostFailur', 'HostFailure', 'DiskFailur', 'FanFailure', 'FanFailur']
    const reading = parseScenario(scenarioOf(words.map((word) => `\n${step(word)}`).join(',')))
    expect(reading).toMatchObject({ problem: { line: 2, column: 21 }, otherLines: [4, 6] })
    const schedule = `"schedule": { "every": "4h", "gravest": "Major", "actions": [\n{ "do": "X" },\n{ "do": "Y" }] }`
    const scheduled = parseScenario(`{ ${head}, "steps": [], ${schedule} }`)
    expect(scheduled).toMatchObject({ problem: { line: 2 }, otherLines: [3] })
  })

  test.each(['Unknown', 'LinkSaturation', 'FabricSaturation', 'CapacityExhaustion'])(
    '%s, which no scenario can inject',
    (kind) => {
      expect(problemOf(oneStep(`"do": "${kind}", "target": { "kind": "Host" }`))).toMatch(
        new RegExp(`^2:21 unknown action "${kind}"; `),
      )
    },
  )
})
