import { HistoryRings } from '../../../src/metrics/history/history-rings.ts'
import { atMost, finding } from '../harness/finding.ts'
import type { Finding, Row } from '../harness/finding.ts'
import { nowMs, takeTurns, threadCpuMs } from '../harness/turns.ts'
import { builtInWorld, largeWorld, publisherOf, stringifiedHosts } from '../support/built-in-world.ts'

const weekUs = 7 * 86_400_000_000
/** A round: three hours. */
const roundSteps = 1_080
const roundsPerWeek = 56
/** Wall time of each warm-up call. */
const sliceMs = 20
const stringifiedTimes = 20

export const week: Row = {
  name: 'week',
  async measure() {
    const built = builtInWorld('medium', weekUs)
    const { world, source } = built
    const bare = builtInWorld('medium', weekUs).world
    const turns = await takeTurns(
      {
        steps: { run: () => live(bare, roundSteps) },
        warmUp: {
          run() {
            const [beganMs, began] = [threadCpuMs(), world.state.tick]
            while (world.state.tick < began + roundSteps) source.warmUp(nowMs() + sliceMs)
            // The last slice goes beyond the round.
            return (threadCpuMs() - beganMs) / ((world.state.tick - began) / roundSteps)
          },
        },
        stringify: {
          run() {
            for (let time = 0; time < stringifiedTimes; time++) stringifiedHosts(built)
          },
        },
      },
      { warmUps: 1 },
    )
    const seconds = (name: 'steps' | 'warmUp'): string =>
      `${((roundsPerWeek * turns.median(name)) / 1_000).toFixed(1)} s of processor time for 7 days`
    const of = (what: string) =>
      `three hours of ${what}, 120 hosts, against ${stringifiedTimes}× JSON.stringify of the hosts`
    return [
      finding('week-steps', of('steps'), atMost(1.4), turns.ratio('steps', 'stringify'), seconds('steps')),
      finding(
        'week-warm-up',
        of('a warm-up'),
        atMost(2.2),
        turns.ratio('warmUp', 'stringify'),
        seconds('warmUp'),
      ),
    ]
  },
}

/** In five minutes demand moves, and every customer has its turn. */
const cycleSteps = 30

function live({ step }: Pick<ReturnType<typeof builtInWorld>['world'], 'step'>, steps: number): void {
  for (let nth = 0; nth < steps; nth++) step()
}

export const fleetStep: Row = {
  name: 'step',
  async measure() {
    const built = largeWorld()
    const turns = await takeTurns(
      {
        steps: { run: () => live(built.world, cycleSteps) },
        stringify: { run: () => void stringifiedHosts(built) },
      },
      { warmUps: 1 },
    )
    const measured = 'five simulated minutes of 10,000 hosts (30 steps), against JSON.stringify of the hosts'
    const [ratio, sides] = [turns.ratio('steps', 'stringify'), turns.sides('steps', 'stringify')]
    return [finding('step', measured, atMost(1.5), ratio, sides)]
  },
}

/** At 60 times the speed, with a publish a second and a scrape every 15. */
const [stepsPerSecond, scrapeSeconds] = [6, 15]

/** The contender that simulates the seconds between two scrapes. Returns the time of one. */
function resting({ world, source }: ReturnType<typeof builtInWorld>) {
  const rings = new HistoryRings(world.history)
  const publish = publisherOf(source)
  return {
    run() {
      const beganMs = threadCpuMs()
      for (let step = 0; step < scrapeSeconds * stepsPerSecond; step++) {
        world.step()
        rings.record(world.nowNs)
        if (step % stepsPerSecond === 0) publish(step === 0 ? ['samples'] : [])
      }
      return (threadCpuMs() - beganMs) / scrapeSeconds
    },
  }
}

export const rest: Row = {
  name: 'rest',
  async measure() {
    const findings: Finding[] = []
    for (const [hosts, built, floor] of [
      [120, builtInWorld('medium', 0), 1.2],
      [10_000, largeWorld(), 0.7],
    ] as const) {
      const stringify = { run: () => void stringifiedHosts(built) }
      const turns = await takeTurns({ rest: resting(built), stringify }, { warmUps: 1 })
      const measured = `a second of ${hosts} hosts at rest, scraped every 15 s, against JSON.stringify of the hosts`
      const [ratio, sides] = [turns.ratio('rest', 'stringify'), turns.sides('rest', 'stringify')]
      findings.push(finding(`rest-${hosts}`, measured, atMost(floor), ratio, sides))
    }
    return findings
  },
}
