/** Draws candidates from one world after another. */
import { continueFrom, branchPointOf } from '../twins/branch-point.ts'
import type { BranchPoint } from '../twins/branch-point.ts'
import { createBuiltInWorld } from '../../world/built-in-world.ts'
import type { BuiltInWorldOptions } from '../../world/built-in-world.ts'
import { makeCase } from './make.ts'
import type { Case, Discarded } from './make.ts'
import { planCase } from './plan.ts'

type Scale = BuiltInWorldOptions['scale']

export interface CaseName {
  readonly seed: bigint
  /** The number of the case in its world, from 0. */
  readonly number: number
}

interface Candidate extends CaseName {
  readonly outcome: Case | Discarded
}

export const casesPerWorldMax = 12
/** The age of a world at its first candidate, and the time between two, so that all hours of the day come up. */
const settledSeconds = 2 * 86_400
const apartSeconds = 11_700

/** The moments at which the candidates of a world begin, from which on nothing that is shown names a cause. */
function* branchPointsOf(seed: bigint, scale: Scale): Generator<BranchPoint> {
  const options = { seed, scale, speed: 1, scenario: null, warmUpNs: 0n }
  const world = createBuiltInWorld(options)
  for (let number = 0; number < casesPerWorldMax; number++) {
    const untilNs = BigInt(settledSeconds + number * apartSeconds) * 1_000_000_000n
    while (world.nowNs < untilNs) world.step()
    yield branchPointOf({ ...options, blind: true }, world.savedWorld())
  }
}

const candidate = (name: CaseName, branch: BranchPoint): Candidate => ({
  ...name,
  outcome: makeCase(branch, planCase(name.seed, name.number, continueFrom(branch))),
})

export function* drawCases(firstSeed: bigint, scale: Scale): Generator<Candidate> {
  for (let seed = firstSeed; ; seed++) {
    let number = 0
    for (const branch of branchPointsOf(seed, scale)) yield candidate({ seed, number: number++ }, branch)
  }
}

/** One candidate by its name. */
export const drawCase = (name: CaseName, scale: Scale): Candidate =>
  candidate(name, branchPointsOf(name.seed, scale).drop(name.number).next().value as BranchPoint)

export type Split = 'train' | 'validation' | 'test'
export const splits: readonly Split[] = ['train', 'validation', 'test']

/** All cases of a world are in one split. */
export const splitOf = (seed: bigint): Split =>
  seed % 5n === 4n ? 'test' : seed % 5n === 3n ? 'validation' : 'train'

export const nameOfCase = ({ seed, number }: CaseName): string => `${seed}-${number}`

/** The inverse of `nameOfCase`; null for another text. */
export function caseNamed(text: string): CaseName | null {
  const found = /^(\d{1,19})-(\d{1,2})$/.exec(text)
  const number = Number(found?.[2])
  return found === null || number >= casesPerWorldMax ? null : { seed: BigInt(found[1]), number }
}
