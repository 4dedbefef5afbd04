import { afterAll, beforeAll, expect, test } from 'vitest'
import { WorkingCopy } from './working-copy.ts'

/** Adds a fault kind as CONTRIBUTING.md describes, step by step; a check reports every omission. */

const kinds = 'src/world/simulation/faults/kinds'
const kindFile = `${kinds}/hosts/memory-failure.ts`
let copy: WorkingCopy

beforeAll(() => {
  copy = new WorkingCopy()
  const similar = copy.read(`${kinds}/hosts/fan-failure.ts`)
  copy.write(
    kindFile,
    similar.replaceAll('fan-failure', 'memory-failure').replace('fanFailure', 'memoryFailure'),
  )
  // It has no effect that another kind has.
  copy.edit(kindFile, /effects: .*/, 'effects: {},')
  copy.edit(kindFile, /^import .* from '..\/..\/effects.ts'\n/m, '')
})
afterAll(() => copy.remove())

test('a file alone lacks its message and its place in the registry', () => {
  expect(copy.typeErrors()).toEqual({
    [kindFile]: [expect.stringContaining(`Type '"cause.memory-failure"' is not assignable`)],
  })
  const { failed, printed } = copy.test('test/tidy/structure.test.ts')
  expect(failed).toEqual([
    'every export is imported by another file',
    'every file of src is imported by another of src',
  ])
  expect(printed).toContain(kindFile)
})

test('without its name in the contract, the registry does not compile', () => {
  copy.edit(
    `${kinds}.ts`,
    /^import { fanFailure } .*\n/m,
    "$&import { memoryFailure } from './kinds/hosts/memory-failure.ts'\n",
  )
  copy.edit(`${kinds}.ts`, /^ {2}FanFailure: .*\n/m, '$&  MemoryFailure: memoryFailure,\n')
  expect(copy.typeErrors()[`${kinds}.ts`]).toContainEqual(
    expect.stringContaining("'MemoryFailure' does not exist"),
  )
})

test('without its place in the registry, its name in the contract does not compile', () => {
  copy.edit('src/contract/vocabularies.ts', /^ {2}'FanFailure',\n/m, "$&  'MemoryFailure',\n")
  const line = '  MemoryFailure: memoryFailure,\n'
  copy.edit(`${kinds}.ts`, new RegExp(line), '')
  expect(copy.typeErrors()[`${kinds}.ts`]).toContainEqual(
    expect.stringContaining("Property 'MemoryFailure' is missing"),
  )
  copy.edit(`${kinds}.ts`, /^ {2}FanFailure: .*\n/m, `$&${line}`)
})

test('with its message, the alerts that it may fire, its targets, and the values of its effects and traits are missing', () => {
  const messages = 'src/contract/messages/incident-causes.ts'
  copy.edit(messages, /^( {2}'cause\.)fan(-failure': 'The fans .*\n)/m, '$&$1memory$2')
  expect(copy.typeErrors()[messages]).toEqual([
    expect.stringContaining('cause.memory-failure'),
    expect.stringContaining("Property 'MemoryFailure' is missing"),
  ])
  copy.edit(messages, /^( {2}'cause\.)fan(-failure': 'too little .*\n)/m, '$&$1memory$2')
  copy.edit(messages, /^ {2}FanFailure: .*\n/m, "$&  MemoryFailure: 'memory failure',\n")
  const table = 'test/world/properties/ids-and-references.ts'
  const alerts = 'src/world/records/operations/truth-alerts.ts'
  const effects = 'test/world/simulation/faults/effect-rules.test.ts'
  const hints = 'src/contract/game-days/answer-line.ts'
  const isMissing = [expect.stringContaining("Property 'MemoryFailure' is missing")]
  expect(copy.typeErrors()).toEqual({
    [hints]: isMissing,
    [table]: isMissing,
    [alerts]: isMissing,
    [effects]: [...isMissing, ...isMissing],
  })
  copy.edit(hints, /^ {2}FanFailure: .*\n/m, "$&  MemoryFailure: 'hosts',\n")
  copy.edit(table, /^ {2}FanFailure: .*\n/m, "$&  MemoryFailure: ['Host'],\n")
  copy.edit(alerts, /^ {2}FanFailure: .*\n/m, '$&  MemoryFailure: [],\n')
  copy.edit(effects, /^ {2}PortFlap: \[\[.*\n/m, "  MemoryFailure: [['Host', [1], {}]],\n$&")
  copy.edit(effects, /^ {2}PortFlap: \[true.*\n/m, '  MemoryFailure: [false, false, null],\n$&')
  expect(copy.typeErrors()).toEqual({})
})

test('the tests name its turn and its row in the docs, and then pass', () => {
  const files = [
    'test/world/simulation/faults/registry.test.ts',
    'test/world/scenarios',
    'test/tidy/structure.test.ts',
  ]
  expect(copy.test(...files).failed).toEqual(
    expect.arrayContaining([
      'each hazard has a turn of its own',
      'docs/formats/scenario.md documents MemoryFailure',
    ]),
  )
  const list = copy.run('-e', countHazards)
  copy.edit(kindFile, /turn: \d+/, `turn: ${Number(list) - 1}`)
  copy.edit('docs/formats/scenario.md', /`FanFailure`/, '$&, `MemoryFailure`')
  const { passed, failed } = copy.test(...files)
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(50)
})

/** The number of hazards including the new kind's, whose counts begin at 0. */
const countHazards = `
  const { faultKinds } = await import('./src/world/simulation/faults/kinds.ts')
  const { createSimulation } = await import('./src/world/records/simulation.ts')
  const { state } = createSimulation({ seed: 1n, scale: 'small', speed: 1, scenario: null, warmUp: 0 })
  const origins = Object.values(faultKinds).map(({ origin }) => origin)
  console.log(origins.flatMap((origin) => (origin.type === 'hazard' ? origin.hazardsIn(state) : [])).length)
`

test('a scenario brings it about, and clients know its name', () => {
  const scenario = {
    name: 'memory',
    title: 'Memory',
    description: 'A memory module of the first host breaks.',
    times_count_from: 'beginning',
    steps: [{ at: '10m', do: 'MemoryFailure', target: { kind: 'Host', pick: 'first' } }],
  }
  const script = `
    const { parseScenario } = await import('./src/world/scenarios/parse-scenario.ts')
    const { createSimulation } = await import('./src/world/records/simulation.ts')
    const { rootKinds } = await import('./src/contract/vocabularies.ts')
    const { scenario } = parseScenario(${JSON.stringify(JSON.stringify(scenario))})
    const world = createSimulation({ seed: 1n, scale: 'small', speed: 1, scenario, warmUp: 0 })
    while (world.nowNs < 15n * 60n * 1_000_000_000n) world.step()
    const targets = world.truth().filter(({ kind }) => kind === 'MemoryFailure').map(({ target }) => target)
    console.log(JSON.stringify({ targets, isNamed: rootKinds.includes('MemoryFailure') }))
  `
  expect(JSON.parse(copy.run('-e', script))).toEqual({ targets: [{ kind: 'Host', row: 0 }], isNamed: true })
})
