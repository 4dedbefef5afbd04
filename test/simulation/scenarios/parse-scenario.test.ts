import { describe, expect, test } from 'vitest'
import { parseScenario } from '../../../src/simulation/scenarios/parse-scenario.ts'
import { longestText, mostSteps } from '../../../src/simulation/scenarios/scenario.ts'
import { day, hour, minute, second } from '../../../src/simulation/time.ts'

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
          deed: 'SwitchFailure',
          target: {
            kind: 'Switch',
            id: null,
            zone: 2,
            role: 'core',
            side: null,
            tier: null,
            pick: 'busiest',
            count: 1,
            share: null,
          },
          magnitude: 1,
          lasts: 90 * minute,
          attackClass: null,
        },
      ],
    })
  })

  test('that says little happens by itself as usual, and counts from the end of the warm-up', () => {
    expect(read(scenarioOf(''))).toMatchObject({
      spontaneity: 1,
      timesCountFrom: 'warm-up',
      warmup: null,
      steps: [],
    })
  })

  test('puts its steps in the order of time, and keeps the order of those at the same time', () => {
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
  ])('tells the time %s', (text, at) => {
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
  ])('makes a %s as bad as usual where it does not say', (deed, kind, magnitude) => {
    const [step] = read(oneStep(`"do": "${deed}", "target": { "kind": "${kind}" }`)).steps
    expect(step.magnitude).toBe(magnitude)
  })
})

const host = '"do": "HostFailure", "target": { "kind": "Host", "id": 1 }'
const surge = '"do": "DemandSurge", "target": { "kind": "Customer" }'

describe('what is wrong is told with its place, what came and what was expected', () => {
  test.each<[what: string, text: string, problem: string]>([
    ['nothing at all', '', '1:1 expected a value, but the end of the file came'],
    ['not an object', '[]', '1:1 expected a scenario as an object, but a list came'],
    ['a comma too many', '{ "name": "a", }', '1:16 expected a key in double quotes, but "}" came'],
    ['a missing comma', '{ "name": "a" "title": "A" }', '1:15 expected "," or "}", but "\\"" came'],
    ['a missing colon', '{ "name" "a" }', '1:10 expected ":" after "name", but "\\"" came'],
    ['a list without an end', '{ "steps": [1 2] }', '1:15 expected "," or "]", but "2" came'],
    ['a word that is none', '{ "name": nope }', '1:11 expected a value, but "n" came'],
    ['an open text', '{ "name": "a\n" }', '1:11 this text does not end on its line, or holds a bad escape'],
    ['more after the end', `${scenarioOf('')} x`, '1:76 "x" after the end of the scenario'],
    ['a key twice', '{ "name": "a",\n  "name": "b" }', '2:3 "name" is given twice'],
    ['deep nesting', `{ "steps": ${'['.repeat(17)}`, '1:28 nesting deeper than 16 levels'],
    [
      'a misspelt key',
      `{ "name": "a",\n  "titel": "A" }`,
      '2:3 unknown key of a scenario "titel"; the nearest known is "title"',
    ],
    [
      'a key like none',
      '{ "zzzzzzzzzz": 1 }',
      '1:3 unknown key of a scenario "zzzzzzzzzz"; known are "name", "title", "description", "spontaneity", "times_count_from", "warmup", "steps"',
    ],
    [
      'a missing title',
      '\n{ "name": "a" }',
      '2:1 "title" is missing here: expected a text of 1 to 80 characters',
    ],
    [
      'a name with blanks',
      '{ "name": "A b" }',
      '1:11 expected lower-case words with dashes between them, but "A b" came',
    ],
    [
      'an empty title',
      '{ "name": "a", "title": " " }',
      '1:25 expected a text of 1 to 80 characters, but " " came',
    ],
    [
      'a wild spontaneity',
      `{ ${head}, "spontaneity": 21, "steps": [] }`,
      '1:77 expected a number from 0 to 20, but 21 came',
    ],
    [
      'a spontaneity in words',
      `{ ${head}, "spontaneity": "high", "steps": [] }`,
      '1:77 expected a number from 0 to 20, but "high" came',
    ],
    [
      'a moment that is none',
      `{ ${head}, "times_count_from": "begining", "steps": [] }`,
      '1:82 unknown moment "begining"; the nearest known is "beginning"',
    ],
    [
      'steps that are no list',
      `{ ${head}, "steps": {} }`,
      '1:71 expected a list of steps, but an object came',
    ],
    ['a step that is none', scenarioOf('7'), '1:72 expected a step as an object, but 7 came'],
    [
      'a time without a unit',
      scenarioOf(`\n{ "at": "12", ${host} }`),
      '2:9 expected a time such as "2d 4h", "36h", "90m" or "45s", but "12" came',
    ],
    [
      'a time as a number',
      scenarioOf(`\n{ "at": 12, ${host} }`),
      '2:9 expected a time such as "2d 4h", "36h", "90m" or "45s", but 12 came',
    ],
    [
      'units in the wrong order',
      scenarioOf(`\n{ "at": "4h 2d", ${host} }`),
      '2:9 expected a time such as "2d 4h", "36h", "90m" or "45s", but "4h 2d" came',
    ],
    [
      'a time too far away',
      scenarioOf(`\n{ "at": "401d", ${host} }`),
      '2:9 expected a time such as "2d 4h", "36h", "90m" or "45s", of at most 400 days, but "401d" came',
    ],
    [
      'too short a time',
      oneStep(`${host}, "for": "5s"`),
      '2:82 expected a time such as "2d 4h", "36h", "90m" or "45s", of at least 10 seconds, but "5s" came',
    ],
    [
      'a deed that is none',
      oneStep('"do": "SwichFailure", "target": {}'),
      '2:21 unknown thing to do "SwichFailure"; the nearest known is "SwitchFailure"',
    ],
    ['no target', oneStep('"do": "HostFailure"'), '2:1 "target" is missing here: expected what to do it to'],
    [
      'a target without a kind',
      oneStep('"do": "PowerSupplyFailure", "target": {}'),
      '2:53 "kind" is missing here: expected one of Host, Switch',
    ],
    [
      'a target that cannot have the fault',
      oneStep('"do": "CableCut", "target": { "kind": "Host" }'),
      '2:53 unknown target of CableCut "Host"; known are "Cable"',
    ],
    [
      'a misspelt key of a step',
      oneStep(`${host}, "magnitud": 2`),
      '2:75 unknown key of a step "magnitud"; the nearest known is "magnitude"',
    ],
    [
      'a magnitude where there is none',
      oneStep(`${host}, "magnitude": 2`),
      '2:88 "magnitude" means nothing for HostFailure: expected it to be left out',
    ],
    [
      'a magnitude out of range',
      oneStep(`${surge}, "for": "2h", "magnitude": 99`),
      '2:96 expected a number from 1 to 20, but 99 came',
    ],
    [
      'half a power supply',
      oneStep('"do": "PowerSupplyFailure", "target": { "kind": "Host" }, "magnitude": 1.5'),
      '2:86 expected a whole number from 1 to 3, but 1.5 came',
    ],
    [
      'a surge without an end',
      oneStep(surge),
      '2:1 "for" is missing here: expected how long DemandSurge lasts, such as "45m"',
    ],
    [
      'a repair that lasts',
      oneStep('"do": "Repair", "target": { "kind": "Host" }, "for": "2h"'),
      '2:68 "for" means nothing for Repair: expected it to be left out',
    ],
    [
      'an attack without a class',
      oneStep('"do": "Attack", "target": { "kind": "Customer" }, "for": "2h"'),
      '2:1 "class" is missing here: expected the class of the attack',
    ],
    [
      'an attack of no known class',
      oneStep('"do": "Attack", "target": { "kind": "Customer" }, "for": "2h", "class": "volumetric"'),
      '2:87 unknown class of attack "volumetric"; the nearest known is "Volumetric"',
    ],
    [
      'a class without an attack',
      oneStep(`${host}, "class": "Scan"`),
      '2:84 "class" means nothing for HostFailure: expected it to be left out',
    ],
    [
      'a selector of another kind',
      oneStep('"do": "HostFailure", "target": { "kind": "Host", "role": "core" }'),
      '2:72 "role" does not narrow down a Host: expected any of id, zone, pick, count, share',
    ],
    [
      'a role that is none',
      oneStep('"do": "SwitchFailure", "target": { "kind": "Switch", "role": "spine" }'),
      '2:76 unknown role of a switch "spine"; known are "edge", "aggregation", "core"',
    ],
    [
      'an id and more',
      oneStep('"do": "HostFailure", "target": { "kind": "Host", "id": 1, "pick": "last" }'),
      '2:81 "pick" cannot stand beside "id"',
    ],
    [
      'a share and a count',
      oneStep('"do": "HostFailure", "target": { "kind": "Host", "share": 0.5, "count": 3 }'),
      '2:87 "count" cannot stand beside "share"',
    ],
    [
      'an id of nothing',
      oneStep('"do": "HostFailure", "target": { "kind": "Host", "id": 0 }'),
      '2:70 expected a whole number from 1 to 9007199254740991, but 0 came',
    ],
    [
      'a way to pick that is none',
      oneStep('"do": "HostFailure", "target": { "kind": "Host", "pick": "buziest" }'),
      '2:72 unknown way to pick "buziest"; the nearest known is "busiest"',
    ],
  ])('%s', (_, text, problem) => {
    expect(problemOf(text)).toBe(problem)
  })

  test('too long a text', () => {
    expect(problemOf(' '.repeat(longestText + 1))).toBe(
      '1:1 expected at most 200000 characters, but 200001 came',
    )
  })

  test('too many steps', () => {
    const step = `{ "at": "1h", ${host} }`
    const text = scenarioOf(Array.from({ length: mostSteps + 1 }, () => step).join(','))
    expect(problemOf(text)).toBe('1:71 expected at most 200 steps, but 201 came')
  })

  test.each(['Unknown', 'LinkSaturation', 'FabricSaturation', 'CapacityExhaustion'])(
    'asking for %s, which only follows from other things',
    (kind) => {
      expect(problemOf(oneStep(`"do": "${kind}", "target": { "kind": "Host" }`))).toMatch(
        new RegExp(`^2:21 unknown thing to do "${kind}"; `),
      )
    },
  )
})
