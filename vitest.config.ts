import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'node_modules/**'],
    // Each test file gets its own process, so a worker thread it starts is a worker of a plain main thread,
    // as in the service, and loads .ts through Node itself.
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
