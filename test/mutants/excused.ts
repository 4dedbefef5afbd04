import type { Mutation } from './mutations.ts'

interface Excuse {
  /** A file, or a folder with a slash at its end. */
  readonly path: string
  /** A pattern for the printed change; any change where left out. */
  readonly change?: RegExp
  readonly reason: string
}

const number = /^[\d.e_]+ → [\d.e+]+$/

/** Mutants that no test can distinguish from the original, or needs to. */
const excuses: readonly Excuse[] = [
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
  {
    path: 'src/world/simulation/tenants/lifecycle/customer-names.ts',
    change: /^'[A-Z][a-z]+' → '~'$/,
    reason: 'Parts of names: any other would do.',
  },
  ...['demand/archetypes.ts', 'demand/service-classes.ts'].map((file) => ({
    path: `src/world/simulation/tenants/${file}`,
    change: number,
    reason: 'How much each kind of customer wants: content of the game, whose balance the sweeps watch.',
  })),
  { path: 'alerts/cases/', reason: 'Expectations: alerts are held against them.' },
  ...[
    'alerts/main.ts alerts/notifications/main.ts deploy/stack/store-backfill.ts dashboards/generate.ts',
    'dashboards/import.ts',
  ]
    .flatMap((line) => line.split(' '))
    .map((path) => ({
      path,
      reason: 'Programs: tests start them in a process of their own, into which no mutant is compiled.',
    })),
]

/** Tests that hold generated files against what is committed: an intended change regenerates them, a mistake too. */
export const regenerated = ['test/alerts/generated.test.ts', 'test/dashboards/generated.test.ts']

const isAt = (path: string, excused: string): boolean =>
  excused.endsWith('/') ? path.startsWith(excused) : path === excused

const fits = ({ path, change }: Excuse, mutation: Mutation): boolean =>
  isAt(mutation.path, path) && (change === undefined || change.test(mutation.change))

export const isExcused = (mutation: Mutation): boolean => excuses.some((excuse) => fits(excuse, mutation))
