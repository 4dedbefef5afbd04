import { afterEach, beforeAll, inject } from 'vitest'

/** Setup of each test file: enables one mutant, or records which are reached while none is enabled. */
declare module 'vitest' {
  interface ProvidedContext {
    /** The enabled mutant; 0 means none. */
    readonly mutant: number
  }
  interface TaskMeta {
    /** The mutants reached by the tests of a file, and by loading its modules. */
    reached?: { inTests: number[]; inModules: number[] }
  }
}

const mutant = inject('mutant')
// Test files share a process, in which a module is loaded once.
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
