import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/**
 * Three tiers, chosen by `--mode`; without a mode, as in `vitest run FILE`, every file belongs to it.
 *
 * | mode | command | what runs |
 * | --- | --- | --- |
 * | fast | npm run test:fast | nothing that computes or waits for long, no other programs |
 * | standard | npm test | all but containers, real Prometheus, the alert verification and `byNight` |
 * | full | npm run test:all, CI | everything but `byNight` |
 * | night | npx vitest run --mode night | `byNight`, and worlds in full: many seeds, which follow from the date |
 */
const modes = new Set(['fast', 'standard', 'full', 'night'])

/** Run by night, and when they are named: dear, and seldom broken by a change that breaks nothing else. */
const worldsByNight = [
  'test/world/properties/{large-worlds,medium-worlds,pinned-world,plausibility}.test.ts',
  'test/world/simulation/scenarios/whole-world.test.ts',
  'test/world/statistics/**/*.test.ts',
]
/** CI fuzzes each target itself; that planted faults are found is tested here. The night also draws mutants. */
const processesByNight = [
  'test/examples/least-upstream.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/library/package.test.ts',
  'test/mutants/mutants.test.ts',
]
/**
 * Tests that have the machine to themselves, as they drive it to its bounds or hold delays against each other. The bounds
 * of connections, requests and turns, from which these costs follow, are tested by day.
 */
const alone = ['test/http/{attacks,tables-thread}.test.ts', 'test/metrics/scrape-load.test.ts']
/** Two images and a stack; by night it has a job of its own. */
const upgrade = 'test/containers/upgrade.test.ts'
const byNight = [...worldsByNight, ...processesByNight, ...alone, upgrade]

/** Of their cases, a part runs by night only. */
const longerByNight = ['test/documents/blocks.test.ts', 'test/sources/attached/chain.test.ts']

/** Whole worlds that live for days, and sweeps over seeds: they keep every core busy. Some are longer by night. */
const worlds = [
  ...worldsByNight,
  'test/encoding/successive-lists.test.ts',
  'test/world/properties/**/*.test.ts',
  'test/world/scenarios/promises.test.ts',
  'test/world/simulation/**/whole-world.test.ts',
  'test/world/simulation/continued-world.test.ts',
  'test/world/simulation/operator/{grown-world,operator,sales}.test.ts',
  'test/world/simulation/scenarios/schedule.test.ts',
  'test/world/simulation/tenants/quality.test.ts',
]

/** Processes and upstreams that are watched for a while. */
const processes = [
  'test/alerts/program.test.ts',
  'test/archive/blind.test.ts',
  'test/store/killed.test.ts',
  ...processesByNight,
  'test/fixtures/command-line.test.ts',
  'test/examples/templates.test.ts',
  'test/http/request-timeout.test.ts',
  'test/sources/built-in/{restart,warm-up-cache}.test.ts',
  'test/commands/{backfill,backfill-truth,check-files,game-days,process,record,sessions,shutdown,state}.test.ts',
  'test/recording/hostile.test.ts',
  'test/sources/continued-session.test.ts',
  'test/sources/attached/{chain,fake-upstream}.test.ts',
  'test/sources/spec/**/*.test.ts',
]

/** Files that compute for seconds. */
const thorough = [
  'test/archive/damage.test.ts',
  'test/alerts/other-ways.test.ts',
  'test/commands/start.test.ts',
  'test/dashboards/{every-scenario,import,sdk-types}.test.ts',
  'test/http/slow-readers.test.ts',
  'test/metrics/{path-list,rendered-again}.test.ts',
  'test/tables/{filters,incident-devices}.test.ts',
  'test/practice/{cases/blindness,twins/compare-worlds}.test.ts',
  'test/world/simulation/day.test.ts',
  'test/world/simulation/faults/kinds.test.ts',
  'test/world/simulation/network/conservation.test.ts',
  'test/world/simulation/topology/{layout,sizing}.test.ts',
]

/** Other programs, which have to be installed: a container engine, Prometheus, promtool, Alertmanager. */
const programs = [
  'test/documents/blocks.test.ts',
  'test/alerts/{alertmanager,firing,histories,sessions,texts}.test.ts',
  'test/alerts/inbox/**/*.test.ts',
  'test/alerts/proof/proof.test.ts',
  'test/containers/**/*.test.ts',
  'test/dashboards/{defense-lines,real-world,sessions}.test.ts',
  'test/dashboards/drawn/live-world.test.ts',
  'test/http/landing-browser.test.ts',
  'test/deploy/{agents,assistants,helm,mixin,store-backfill}.test.ts',
  'test/practice/grading/real-prometheus.test.ts',
  'test/commands/backfill-continued.test.ts',
  'test/metrics/{prometheus,replicas,thanos}.test.ts',
  'test/windows/**/*.test.ts',
]

const cores = availableParallelism()
/**
 * Worlds of tests live through their warm-up, and leave nothing behind. Programs that tests start take half the processor
 * time with code that Node has compiled for an earlier one.
 */
const ofWorlds = {
  DCSIM_CACHE: 'none',
  NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
}

/** Files that wait for other programs run beside files that compute for long, before all others. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's method, not that of arrays
    const sorted = await super.sort(files)
    const [waiting, computing] = ['programs', 'worlds'].map((name) =>
      sorted.filter(({ project }) => project.name === name),
    )
    const beside = computing.flatMap((file, index) => waiting.slice(index, index + 1).concat(file))
    return [...new Set([...beside, ...waiting, ...sorted])]
  }
}

/** Tests of functions without threads, servers or state of the process: files share a process and its modules. */
const pure = [
  'test/{codegen,contract,encoding,tables,text,tidy,world}/**/*.test.ts',
  'test/{pictures,words}/**/*.test.ts',
  'test/alerts/{config,generated,lint,promql,recorded-names,routes}.test.ts',
  'test/alerts/proof/{amounts,verdict,inbox/*}.test.ts',
  'test/archive/tables.test.ts',
  'test/practice/{cases/forms,debrief/game-day,grading/grade}.test.ts',
  'test/commands/{addresses,connection-limit,targets,what-if-answer}.test.ts',
  'test/dashboards/{colors,generated,layout,lint,provisioning,sdk-types,shown,shown-families,style}.test.ts',
  'test/dashboards/drawn/{readable,silent}.test.ts',
  'test/deploy/{chart,collectors,kubernetes}.test.ts',
  'test/http/{codings,events,negotiation,parameters}.test.ts',
  'test/metrics/{cardinality,conventions,exposition,golden,history-codes,incident-scope}.test.ts',
  'test/metrics/{observed-totals,open-metrics,reference,ring-layout,series-reader,service-metrics}.test.ts',
  'test/options/{help,limits}.test.ts',
  'test/recording/{damage,frame-codec}.test.ts',
  'test/backfill/ended-series.test.ts',
  'test/sources/{replay,timeline}.test.ts',
  'test/sources/attached/{event-window,foreign-text,foreign-values}.test.ts',
  'test/sources/built-in/simulation-source.test.ts',
  'test/workflows/workflows.test.ts',
]

/** Set up for files that only compute. */
const yieldToOthers = 'test/fixtures/yield-to-others.ts'

/** As the service is started: the young generation decides how long a collection keeps requests waiting. */
const asService = ['--max-semi-space-size=16']

/** Second tries of tests with real processes and clocks on a busy machine: CI names those that needed one. */
const retriesIn = (tier: string): number => (tier === 'full' ? 1 : 0)

const everything = ['test/**/*.test.ts']
/** Shell scripts of checkouts and of the release, and what containers run. */
const neverOnWindows = ['test/{commands/checkout-command,deploy/stack,workflows/release}.test.ts']
const never = ['node_modules/**', ...(process.platform === 'win32' ? neverOnWindows : [])]

export default defineConfig(({ mode }) => {
  const tier = modes.has(mode) ? mode : 'every'
  const leftOut: Readonly<Record<string, readonly string[]>> = {
    fast: [...worlds, ...thorough, ...processes, ...programs, ...alone],
    standard: [...programs, ...byNight],
    full: byNight,
  }
  const exclude = [...never, ...(leftOut[tier] ?? [])]
  const isNight = tier === 'night'
  const sweep = isNight ? 'night' : 'few'
  const nightSeed =
    process.env['DCSIM_TEST_SEED'] ?? new Date().toISOString().slice(0, 10).replaceAll('-', '')
  if (isNight) console.log(`Night sweep: reproduce with DCSIM_TEST_SEED=${nightSeed}`)
  const seed: Readonly<Record<string, string>> = isNight ? { DCSIM_TEST_SEED: nightSeed } : {}
  // Where next to no file waits, more workers than cores would only take turns.
  const maxWorkers = tier === 'fast' || isNight ? cores : 2 * cores
  const project = (name: string, include: readonly string[], but: readonly string[], more: object) => ({
    extends: true as const,
    test: {
      name,
      include: [...include],
      exclude: [...exclude, ...but],
      maxWorkers,
      sequence: { groupOrder: 1 },
      ...more,
    },
  })
  const notOfService = [...worlds, ...alone, ...pure, ...(isNight ? [] : programs)]
  const retry = retriesIn(tier)
  const projects = [
    project('alone', alone, [], { fileParallelism: false, sequence: { groupOrder: 0 } }),
    project('pure', isNight ? [] : pure, worlds, { isolate: false, setupFiles: yieldToOthers }),
    project('service', isNight ? [...longerByNight, ...processesByNight] : everything, notOfService, {
      retry,
    }),
    project('programs', isNight ? [] : programs, [...worlds, ...alone, ...pure], { retry }),
    project('worlds', worlds, alone, {
      testTimeout: 600_000,
      hookTimeout: 900_000,
      setupFiles: yieldToOthers,
    }),
  ]
  return {
    test: {
      // Tests run in processes, so a worker thread that one starts is a worker of a plain main thread, as in the
      // service, and loads .ts through Node itself. All but the pure ones have a process of their own.
      pool: 'forks',
      execArgv: asService,
      // A shared machine or coverage make a test several times slower; a hang is still found.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      env: { ...ofWorlds, DCSIM_TEST_TIER: tier, DCSIM_TEST_SWEEP: sweep, ...seed },
      passWithNoTests: false,
      sequence: { sequencer: LongestFirst },
      coverage: {
        provider: 'v8',
        include: ['src/**'],
        reporter: ['text-summary'],
      },
      projects,
    },
  }
})
