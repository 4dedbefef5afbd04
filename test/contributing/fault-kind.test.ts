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

const messages = 'src/contract/messages/incident-causes.ts'
const isMissing = [expect.stringContaining("Property 'MemoryFailure' is missing")]

test('a file alone lacks its place in the registry', () => {
  expect(copy.typeErrors()).toEqual({})
  const { failed, printed } = copy.test('test/tidy/structure.test.ts')
  expect(failed).toEqual([
    'every export is imported by another file',
    'every file of src is imported by another of src',
  ])
  expect(printed).toContain(kindFile)
})

test('without its words in the contract, the registry does not compile', () => {
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

test('with its words, the values of its effects are missing, and a word fewer does not compile', () => {
  const words =
    "message: 'A module of {name} has failed.',\n    noun: 'failure in {name}',\n    name: 'memory failure',\n"
  copy.edit(messages, /^ {2}CoolingFailure: {\n/m, `  MemoryFailure: {\n    ${words}  },\n$&`)
  expect(copy.typeErrors()['src/practice/commands/hint.ts']).toContainEqual(
    expect.stringContaining("Property 'field' does not exist"),
  )
  copy.edit(messages, /^ {4}name: 'memory failure',\n/m, "$&    field: 'hosts',\n")
  const effects = 'test/world/simulation/faults/effect-rules.test.ts'
  expect(copy.typeErrors()).toEqual({ [effects]: isMissing })
  copy.edit(effects, /^ {2}PortFlap: \[\[.*\n/m, "  MemoryFailure: [['Host', [1], {}]],\n$&")
  expect(copy.typeErrors()).toEqual({})
})

test('the tests name its row in the docs, and then pass', () => {
  const files = ['test/world/scenarios', 'test/tidy/structure.test.ts']
  expect(copy.test(...files).failed).toEqual(['docs/formats/scenario.md documents MemoryFailure'])
  copy.edit('docs/formats/scenario.md', /`FanFailure`/, '$&, `MemoryFailure`')
  const { passed, failed } = copy.test(...files)
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(50)
})

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
