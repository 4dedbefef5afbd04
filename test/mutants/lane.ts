/** A process that runs tests against one mutant after the other, in a Vitest that keeps its transformed modules. */
import { once } from 'node:events'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { BaseSequencer, createVitest } from 'vitest/node'
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node'
import configuration from '../../vitest.config.ts'
import { withSwitches } from './mutations.ts'
import type { Mutation } from './mutations.ts'

export interface LaneSettings {
  readonly mode: string
  readonly mutations: readonly (readonly [number, Mutation])[]
}

export interface Run {
  readonly tests: readonly string[]
  /** The mutant that is on from the first module on; 0 notes which are reached. */
  readonly mutant: number
}

export type LaneMessage =
  | { readonly type: 'ready'; readonly tests: readonly string[] }
  | { readonly type: 'file'; readonly test: string; readonly ms: number; readonly reached: readonly number[] }
  | { readonly type: 'done'; readonly failures: readonly string[] }

const root = join(import.meta.dirname, '../..')
const pathOf = (moduleId: string): string => relative(root, moduleId)
const send = (message: LaneMessage): void => void process.send!(message)

function switches(mutations: LaneSettings['mutations']): Plugin {
  const byPath = Map.groupBy(mutations, ([, { path }]) => path)
  const mutationsOfModule = (id: string) => byPath.get(pathOf(id.split('?')[0]))
  return {
    name: 'mutants',
    enforce: 'pre',
    // Vitest caches transformed modules on disk; those with mutants belong to this run only.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (mutationsOfModule(id) === undefined ? undefined : false))
    },
    transform(code, id) {
      const those = mutationsOfModule(id)
      return those === undefined ? null : { code: withSwitches(code, new Map(those)), map: null }
    },
  }
}

let order: readonly string[] = []

class AsAsked extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => order.indexOf(pathOf(a.moduleId)) - order.indexOf(pathOf(b.moduleId)))
  }
}

const reporter: Reporter = {
  onTestModuleEnd(module: TestModule) {
    const { reached = [] } = module.meta()
    send({ type: 'file', test: pathOf(module.moduleId), ms: module.diagnostic().duration, reached })
  },
}

async function begin({ mode, mutations }: LaneSettings): Promise<Vitest> {
  const { test } = configuration({ mode, command: 'serve' })
  const { projects, ...common } = test!
  const inline = projects!.map((project) => {
    const { test: own } = project as { test: { setupFiles?: string } }
    const setupFiles = [own.setupFiles ?? [], 'test/mutants/setup.ts'].flat()
    return {
      plugins: [switches(mutations)],
      test: { ...common, ...own, setupFiles, maxWorkers: 1, execArgv: ['--max-old-space-size=800'] },
    }
  })
  const sequence = { sequencer: AsAsked }
  const flags = { config: false, watch: false, update: 'none', bail: 0, passWithNoTests: true } as const
  return createVitest({ ...flags, root, reporters: [reporter], sequence, projects: inline } as never)
}

async function runTests(
  vitest: Vitest,
  specifications: readonly TestSpecification[],
  { mutant, tests }: Run,
) {
  order = tests
  vitest.provide('mutant', mutant)
  const wanted = specifications.filter(({ moduleId }) => tests.includes(pathOf(moduleId)))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted)
  // Vitest returns the files of earlier runs too, with their results then.
  const failures = testModules.flatMap((module) => {
    if (module.state() !== 'failed' || !tests.includes(pathOf(module.moduleId))) return []
    const [first] = module.children.allTests('failed')
    const killer = first?.fullName ?? module.errors()[0]?.message ?? 'fails'
    return [`${pathOf(module.moduleId)} > ${killer}`]
  })
  send({ type: 'done', failures: [...failures, ...unhandledErrors.map(String)] })
}

const [settings] = (await once(process, 'message')) as [LaneSettings]
const vitest = await begin(settings)
const specifications = await vitest.globTestSpecifications()
process.on('message', (run: Run) => void runTests(vitest, specifications, run))
process.on('disconnect', () => process.exit())
send({ type: 'ready', tests: specifications.map(({ moduleId }) => pathOf(moduleId)) })
