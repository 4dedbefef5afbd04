import { defineConfig } from 'vitest/config'

/** Tests of how fast and how regularly things happen: each has the machine to itself. */
const timed = [
  'test/containers/stack.test.ts',
  'test/http/load.test.ts',
  'test/metrics/scrape-load.test.ts',
  'test/mirror/world-supply.test.ts',
  'test/sources/attached/faults.test.ts',
]

/** Tests that let whole worlds live for days: they keep every core busy. */
const worlds = ['test/simulation/**/*.test.ts', 'test/properties/**/*.test.ts', 'test/scenarios/**/*.test.ts']

const everything = ['test/**/*.test.ts']
const never = ['test/bench/**', 'node_modules/**']

export default defineConfig({
  test: {
    // Each test file gets its own process, so a worker thread it starts is a worker of a plain main thread,
    // as in the service, and loads .ts through Node itself.
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'timed',
          include: timed,
          exclude: never,
          fileParallelism: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: everything,
          exclude: [...never, ...timed, ...worlds],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'worlds',
          include: worlds,
          exclude: never,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          maxWorkers: '100%',
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
