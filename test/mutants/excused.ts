import type { Mutation } from './mutations.ts'

interface Excuse {
  readonly path: string
  /** A pattern for the printed change. */
  readonly change: RegExp
  readonly reason: string
}

/** Mutants that no test can distinguish from the original, or needs to. */
export const excuses: readonly Excuse[] = [
  {
    path: 'src/world/simulation/random.ts',
    change: /0x/,
    reason: 'Constants of the generator: any other would give another world, as good as this one.',
  },
  {
    path: 'src/world/simulation/operations/technicians.ts',
    change: /^'[A-Z][a-z]+' → '~'$/,
    reason: 'First names: any other would do.',
  },
]

export const isExcused = ({ path, change }: Mutation): boolean =>
  excuses.some((excuse) => excuse.path === path && excuse.change.test(change))
