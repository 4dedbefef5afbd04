import { afterEach, beforeAll, inject } from 'vitest'

/** Set up for each file of tests: turns one mutant on, or notes which are reached while none is. */
declare module 'vitest' {
  interface ProvidedContext {
    /** The mutant that is on; 0 is none. */
    readonly mutant: number
  }
  interface TaskMeta {
    /** The mutants that the tests of a file reach, and those that loading modules does. */
    reached?: { inTests: number[]; inModules: number[] }
  }
}

const mutant = inject('mutant')
// Files share a process, in which a module is loaded once.
const shared = globalThis as { isMutant?: unknown; mutantsOfModules?: Set<number> }
const inModules = (shared.mutantsOfModules ??= new Set<number>())
const inTests = new Set<number>()
let reached = inModules

const isOn = (id: number): boolean => id === mutant
const note = (id: number): boolean => {
  reached.add(id)
  return false
}
shared.isMutant = mutant === 0 ? note : isOn

beforeAll(() => {
  reached = inTests
})

afterEach(({ task }) => {
  task.file.meta.reached = { inTests: [...inTests], inModules: [...inModules] }
})
