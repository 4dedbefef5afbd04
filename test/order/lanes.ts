/**
 * Durations of test files in seconds on two quiet cores, if they are more than a few. Waiting files use little of the
 * processor: they wait for containers, rules or timeouts.
 */
export const waitingSeconds: Readonly<Record<string, number>> = {
  'test/containers/stack.test.ts': 215,
  'test/documents/blocks.test.ts': 150,
  'test/alerts/inbox/restart.test.ts': 100,
  'test/containers/doors.test.ts': 100,
  'test/containers/cluster.test.ts': 145,
  'test/dashboards/drawn/live-world.test.ts': 76,
  'test/dashboards/real-world.test.ts': 71,
  'test/containers/sessions.test.ts': 68,
  'test/dashboards/sessions.test.ts': 58,
  'test/windows/executable.test.ts': 45,
  'test/metrics/prometheus.test.ts': 50,
  'test/metrics/replicas.test.ts': 45,
  'test/containers/offline.test.ts': 40,
  'test/alerts/inbox/lacking-upstream.test.ts': 105,
  'test/containers/attached-stack.test.ts': 40,
  'test/alerts/inbox/delivery.test.ts': 40,
  'test/sources/spec/lost-parts.test.ts': 55,
  'test/commands/jumping-clock.test.ts': 40,
  'test/commands/record.test.ts': 36,
  'test/deploy/agents.test.ts': 33,
  'test/sources/attached/malformed-upstream.test.ts': 32,
  'test/alerts/inbox/timing.test.ts': 31,
  'test/archive/morning-after.test.ts': 29,
  'test/commands/game-days.test.ts': 29,
  'test/examples/least-upstream.test.ts': 20,
  'test/examples/templates.test.ts': 20,
  'test/archive/full-disk.test.ts': 10,
  'test/commands/sessions.test.ts': 16,
  'test/commands/state.test.ts': 15,
  'test/http/landing-browser.test.ts': 14,
  'test/mirror/worker-supervisor.test.ts': 14,
  'test/commands/shutdown.test.ts': 12,
  'test/commands/store-past.test.ts': 12,
  'test/commands/process.test.ts': 11,
  'test/sources/attached/chain.test.ts': 10,
  'test/http/request-timeout.test.ts': 10,
  'test/soak/program.test.ts': 9,
  'test/containers/attach.test.ts': 8,
}

export const computingSeconds: Readonly<Record<string, number>> = {
  'test/world/simulation/operator/whole-world.test.ts': 73,
  'test/world/statistics/first-look.test.ts': 71,
  'test/world/simulation/continued-world.test.ts': 30,
  'test/sources/spec/spec.test.ts': 45,
  'test/sources/hostile/hostile.test.ts': 28,
  'test/http/tables-thread.test.ts': 12,
  'test/world/simulation/scenarios/network-trouble.test.ts': 40,
  'test/world/simulation/scenarios/outages.test.ts': 40,
  'test/world/simulation/scenarios/pressure.test.ts': 40,
  'test/world/properties/determinism.test.ts': 12,
  'test/world/properties/plausibility.test.ts': 36,
  'test/commands/check-files.test.ts': 34,
  'test/world/scenarios/promises.test.ts': 30,
  'test/world/simulation/tenants/accounting.test.ts': 32,
  'test/commands/history.test.ts': 31,
  'test/alerts/firing.test.ts': 20,
  'test/fixtures/command-line.test.ts': 9,
  'test/world/simulation/incidents/whole-world.test.ts': 15,
  'test/sources/continued-session.test.ts': 28,
  'test/alerts/sessions.test.ts': 26,
  'test/world/simulation/tenants/lifecycle.test.ts': 26,
  'test/world/simulation/tenants/prospects.test.ts': 15,
  'test/contributing/fault-kind.test.ts': 25,
  'test/encoding/successive-lists.test.ts': 25,
  'test/world/properties/scenarios.test.ts': 15,
  'test/contributing/source-kind.test.ts': 21,
  'test/tables/filters.test.ts': 20,
  'test/deploy/mixin.test.ts': 19,
  'test/fuzz/targets.test.ts': 14,
  'test/world/properties/small-worlds.test.ts': 7,
  'test/world/simulation/operator/sales.test.ts': 17,
  'test/world/simulation/operator/operator.test.ts': 16,
  'test/library/package.test.ts': 15,
  'test/world/properties/medium-worlds.test.ts': 5,
  'test/world/simulation/tenants/demand.test.ts': 13,
  'test/world/simulation/scenarios/whole-world.test.ts': 7,
  'test/tables/hostile.test.ts': 13,
  'test/sources/built-in/warm-up-cache.test.ts': 13,
  'test/practice/twins/compare-worlds.test.ts': 12,
  'test/world/simulation/operations/whole-world.test.ts': 5,
  'test/world/simulation/scenarios/schedule.test.ts': 11,
  'test/mutants/mutants.test.ts': 11,
  'test/world/simulation/faults/whole-world.test.ts': 10,
  'test/deploy/helm.test.ts': 9,
  'test/recording/hostile.test.ts': 9,
  'test/world/simulation/tenants/relations.test.ts': 9,
  'test/tables/every-table.test.ts': 9,
  'test/commands/completion.test.ts': 9,
  'test/dashboards/every-scenario.test.ts': 9,
  'test/http/hostile.test.ts': 9,
  'test/alerts/proof/proof.test.ts': 8,
  'test/commands/history-continued.test.ts': 8,
  'test/world/properties/large-worlds.test.ts': 4,
  'test/world/simulation/incidents/properties.test.ts': 4,
  'test/world/simulation/tenants/calendar.test.ts': 8,
  'test/world/simulation/topology/layout.test.ts': 8,
  'test/sources/hostile/checked.test.ts': 8,
}

/** The approximate duration of any other file. */
const usualSeconds = 1.5

interface Planned<T> {
  readonly item: T
  readonly start: number
}

/** The start of each item if every lane takes the longest remaining one. The order of equal durations is stable. */
function startsOf<T>(items: readonly T[], secondsOf: (item: T) => number, lanes: number): Planned<T>[] {
  const freeAt = Array.from({ length: lanes }, () => 0)
  return items
    .toSorted((one, other) => secondsOf(other) - secondsOf(one))
    .map((item) => {
      const start = Math.min(...freeAt)
      freeAt[freeAt.indexOf(start)] += secondsOf(item)
      return { item, start }
    })
}

/**
 * The order in which workers run files, so that as many waiting as computing files run concurrently: otherwise the
 * processor is idle while every worker waits, and overloaded when none does.
 */
export function orderInLanes<T>(items: readonly T[], pathOf: (item: T) => string, lanes: number): T[] {
  const waits = (item: T): boolean => Object.hasOwn(waitingSeconds, pathOf(item))
  const secondsOf = (item: T): number =>
    waitingSeconds[pathOf(item)] ?? computingSeconds[pathOf(item)] ?? usualSeconds
  const waiting = startsOf(items.filter(waits), secondsOf, lanes)
  const computing = startsOf(
    items.filter((item) => !waits(item)),
    secondsOf,
    lanes,
  )
  return [...waiting, ...computing].toSorted((one, other) => one.start - other.start).map(({ item }) => item)
}
