import { atMost, finding } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { nowMs, takeTurns, threadCpuMs } from '../harness/turns.ts'
import { builtInWorld, largeWorld, publisherOf, stringifiedHosts } from '../support/built-in-world.ts'

const dayUs = 86_400_000_000
/** A round of warm-up: three hours. */
const roundNs = 10_800_000_000_000n
const roundsPerWeek = 56
/** Wall time of each warm-up call. */
const sliceMs = 20
const stringifiedTimes = 20

export const warmUp: Row = {
  name: 'warm-up',
  async measure() {
    const built = builtInWorld('medium', 7 * dayUs)
    const { world, source } = built
    const turns = await takeTurns(
      {
        warmUp: {
          run() {
            const beganMs = threadCpuMs()
            const beganNs = world.nowNs
            while (world.nowNs < beganNs + roundNs) source.warmUp(nowMs() + sliceMs)
            // The last slice goes beyond the round.
            const share = Number(world.nowNs - beganNs) / Number(roundNs)
            return (threadCpuMs() - beganMs) / share
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
    const weekSeconds = (roundsPerWeek * turns.median('warmUp')) / 1_000
    const measured = `three hours of warm-up, 120 hosts, against ${stringifiedTimes}× JSON.stringify of the hosts`
    const sides = `${weekSeconds.toFixed(1)} s of processor time for 7 days`
    return [finding('warm-up', measured, atMost(4.5), turns.ratio('warmUp', 'stringify'), sides)]
  },
}

const stepsPerMinute = 6

export const fleetStep: Row = {
  name: 'step',
  async measure() {
    const built = largeWorld()
    const minute = (): void => {
      for (let step = 0; step < stepsPerMinute; step++) built.world.step()
    }
    const turns = await takeTurns(
      { steps: { run: minute }, stringify: { run: () => void stringifiedHosts(built) } },
      { warmUps: 1 },
    )
    const measured = 'a simulated minute of 10,000 hosts (6 steps), against JSON.stringify of the hosts'
    const [ratio, sides] = [turns.ratio('steps', 'stringify'), turns.sides('steps', 'stringify')]
    return [finding('step', measured, atMost(0.6), ratio, sides)]
  },
}

const [smallHosts, largeHosts] = [10_000, 50_000]

function runningWorld(hosts: number) {
  const { world, source } = builtInWorld(hosts, 0)
  const publish = publisherOf(source)
  const minute = (): void => {
    for (let step = 0; step < stepsPerMinute; step++) world.step()
  }
  return { minute: { run: minute }, publish: { run: () => void publish() } }
}

export const growth: Row = {
  name: 'growth',
  async measure() {
    const [small, large] = [smallHosts, largeHosts].map(runningWorld)
    const turns = await takeTurns(
      { smallStep: small.minute, small: small.publish, largeStep: large.minute, large: large.publish },
      { warmUps: 15 },
    )
    const from = `from ${smallHosts} to ${largeHosts} hosts`
    const step = turns.ratio('largeStep', 'smallStep')
    const steps = turns.sides('largeStep', 'smallStep', 'ms', stepsPerMinute)
    const [publish, publishes] = [turns.ratio('large', 'small'), turns.sides('large', 'small')]
    return [
      finding('growth-step', `a step, ${from}`, atMost(9, 'times'), step, steps),
      finding('growth-publish', `a publish, ${from}`, atMost(8, 'times'), publish, publishes),
    ]
  },
}
