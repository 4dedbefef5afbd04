import { afterAll, beforeAll, inject } from 'vitest'

/** Set up for each file of tests: turns one mutant on, or notes which mutants the file reaches. */
declare module 'vitest' {
  interface ProvidedContext {
    /** The mutant that is on from the first module on; 0 notes which are reached. */
    readonly mutant: number
  }
  interface TaskMeta {
    reached?: readonly number[]
  }
}

// Files share a process, in which a module is loaded once: what it reaches then counts for each file.
const shared = globalThis as { isMutant?: (id: number) => boolean; reachedByModules?: Set<number> }
const mutant = inject('mutant')
const byModules = (shared.reachedByModules ??= new Set())
const byTests = new Set<number>()
let isLoading = true
shared.isMutant = (id) => {
  if (mutant === 0) (isLoading ? byModules : byTests).add(id)
  return id === mutant
}
beforeAll(() => {
  isLoading = false
})
// oxlint-disable-next-line eslint/no-empty-pattern -- Vitest reads from the pattern which fixtures a hook uses
afterAll(({}, suite) => {
  suite.file.meta.reached = [...byModules, ...byTests]
})
