import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeAll, beforeEach, inject, vi } from 'vitest'
import type { RunnerTestCase, RunnerTestSuite } from 'vitest'

/** Set up for each file of tests: notes which mutants its tests reach, tries them one after the other, or turns one on. */
declare module 'vitest' {
  interface ProvidedContext {
    /** The mutant that is on from the first module on; 0 is none. */
    readonly mutant: number
    /** The mutants to be tried in each test, by its id; null notes which are reached. */
    readonly trials: Readonly<Record<string, readonly number[]>> | null
    /** The file with the mutant under trial, which the parent reads after it has ended an endless loop. */
    readonly markFile: string
  }
  interface TaskMeta {
    reached?: Reached
    verdict?: Verdict
  }
}

export interface Reached {
  /** The mutants that each test reaches, by its id. */
  byTest: Record<string, readonly number[]>
  /** Those that are reached outside of tests, as modules are loaded. */
  outside: readonly number[]
}

export interface Verdict {
  /** The test that noticed each mutant. */
  killedBy: Record<number, string>
  /** Mutants of tests that fail when they run once more. */
  undecided: readonly number[]
}

/** A loop that asks this much more often for its mutants than usual does not end. */
const endlessFactor = 30
const endlessCallsMin = 1_000_000

// Files share a process, in which a module is loaded once.
const shared = globalThis as { isMutant?: (id: number) => boolean; mutantsOutside?: Set<number> }
const trials = inject('trials')

/** Modules that a test imports itself are reloaded before it, so that it meets mutants in constants too. */
const importing = new Map<string, boolean>()
function reload({ filepath }: { readonly filepath: string }): void {
  if (!importing.has(filepath))
    importing.set(filepath, readFileSync(filepath, 'utf8').includes('await import('))
  if (importing.get(filepath) === true) vi.resetModules()
}

function noteReached(): void {
  const outside = (shared.mutantsOutside ??= new Set<number>())
  const byTest = new Map<string, Set<number>>()
  let reached = outside
  shared.isMutant = (id) => {
    reached.add(id)
    return false
  }
  beforeEach(({ task }) => {
    reload(task.file)
    reached = new Set()
    byTest.set(task.id, reached)
  })
  afterEach(({ task }) => {
    reached = outside
    const lists = Array.from(byTest, ([id, ids]) => [id, [...ids]] as const)
    task.file.meta.reached = { byTest: Object.fromEntries(lists), outside: [...outside] }
  })
}

const testsIn = ({ tasks }: RunnerTestSuite): RunnerTestCase[] =>
  tasks.flatMap((task) => (task.type === 'suite' ? testsIn(task) : [task]))

/** Repeats each test with one mutant after the other. After a failure it has to pass without. */
function tryMutants(mutantsOf: (test: string) => readonly number[]): void {
  const killedBy: Record<number, string> = {}
  const undecided: number[] = []
  let current = ''
  let left: number[] = []
  let tried = 0
  let failed = 0
  let calls = 0
  let callsMax = Infinity
  shared.isMutant = (id) => {
    calls += 1
    if (calls > callsMax) throw new Error('A loop does not end.')
    return id === tried
  }
  // oxlint-disable-next-line eslint/no-empty-pattern -- Vitest reads from the pattern which fixtures a hook uses
  beforeAll(({}, suite) => {
    for (const test of testsIn(suite)) {
      const count = mutantsOf(test.id).length
      if (count === 0) test.mode = 'skip'
      else test.repeats = 2 * count + 1
    }
  })
  beforeEach(({ task, skip }) => {
    reload(task.file)
    const isFirst = task.id !== current
    if (isFirst) {
      current = task.id
      left = mutantsOf(task.id).filter((id) => !(id in killedBy))
      callsMax = Infinity
    } else if (left.length === 0 && failed === 0) skip()
    tried = isFirst || failed > 0 ? 0 : left.shift()!
    calls = 0
    if (tried > 0) writeFileSync(inject('markFile'), String(tried))
  })
  afterEach(({ task }) => {
    const { result } = task
    if (result === undefined || result.state === 'skip') return
    const isFailed = result.state === 'fail'
    if (tried > 0) failed = isFailed ? tried : 0
    else if (isFailed) {
      undecided.push(...left.splice(0), ...(failed > 0 ? [failed] : []))
      failed = 0
    } else {
      if (failed > 0) killedBy[failed] = task.fullName
      failed = 0
      if (callsMax === Infinity) callsMax = endlessFactor * calls + endlessCallsMin
    }
    tried = 0
    result.state = 'pass'
    delete result.errors
    task.file.meta.verdict = { killedBy, undecided }
  })
}

const mutant = inject('mutant')
if (mutant > 0) shared.isMutant = (id) => id === mutant
else if (trials === null) noteReached()
else tryMutants((test) => trials[test] ?? [])
