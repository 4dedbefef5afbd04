import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { WorkingCopy } from './working-copy.ts'

/** Adds a kind of source as CONTRIBUTING.md describes, step by step; a check reports every omission. */

const kindFile = 'src/sources/paused/kind.ts'
const registry = 'src/sources/registry.ts'
const selection = 'src/command-line/select-source.ts'
let copy: WorkingCopy

beforeAll(() => {
  copy = new WorkingCopy()
  mkdirSync(join(copy.folder, 'src/sources/paused'))
  copy.write(
    kindFile,
    `import { simulationKind } from '../built-in/kind.ts'
import type { SourceKind } from '../source-kind.ts'

/** A small paused world. */
export interface PausedSpec {
  readonly kind: 'paused'
}

const world = { kind: 'simulation', seed: 1n, scale: 'small', speed: 0, warmupNs: 0n, scenario: null, state: null } as const

export const pausedKind: SourceKind<PausedSpec> = {
  usage: 'paused',
  help: 'paused, a world that stands still',
  noun: 'paused worlds',
  matches: (source) => source === 'paused',
  describe: () => 'a paused world',
  sessionName: () => 'paused',
  open: (_, context) => simulationKind.open(world, context),
  upstreamOrigin: () => null,
}
`,
  )
})
afterAll(() => copy.remove())

test('a folder alone is not a source yet', () => {
  expect(copy.typeErrors()).toEqual({})
  const { failed, printed } = copy.test('test/tidy/structure.test.ts')
  expect(failed).toContain('every file of src is imported by another of src')
  expect(printed).toContain(kindFile)
})

test('with its line in the registry, the options have to select it', () => {
  copy.edit(registry, /^import .*recordingKind.*\n/m, "import { pausedKind } from './paused/kind.ts'\n$&")
  copy.edit(registry, /^ {2}simulation: simulationKind,\n/m, '$&  paused: pausedKind,\n')
  expect(copy.typeErrors()).toEqual({
    [selection]: [expect.stringContaining("Property 'paused' is missing")],
  })
  copy.edit(selection, /^ {2}recording: resolveRecording,\n/m, "$&  paused: () => ({ kind: 'paused' }),\n")
  expect(copy.typeErrors()).toEqual({})
})

test('the tests name the texts that list the sources, and then pass', () => {
  const files = ['test/options/options.test.ts', 'test/tidy/structure.test.ts']
  expect(copy.test(...files).failed).toEqual([
    '--source http:// is refused',
    'the page of options follows from the declarations (`npm run node test/options/options-table.ts` writes it)',
  ])
  copy.run('test/options/options-table.ts')
  copy.edit(
    'test/options/options.test.ts',
    /expected simulation, a URL/,
    'expected simulation, paused, a URL',
  )
  expect(copy.test(...files).failed).toEqual([])
})

test('a mirror serves its world', async () => {
  const mirror = await MirrorProcess.start(['--source', 'paused'], 'ready', copy.folder)
  try {
    expect(JSON.parse(await mirror.text('/health'))).toMatchObject({ status: 'ok' })
    expect(mirror.log).toContain('a paused world')
    expect(await mirror.metric('dcsim_hosts')).toBeGreaterThan(0)
  } finally {
    await mirror.stop()
  }
})
