import type { Row } from '../harness/finding.ts'
import { nowMs, takeTurns, threadCpuMs } from '../harness/turns.ts'
import { builtInWorld, stringifiedHosts } from '../support/built-in-world.ts'

const dayUs = 86_400_000_000
/** A round of warm-up: three hours. */
const roundNs = 10_800_000_000_000n
const roundsPerWeek = 56
/** Wall time of each warm-up call. */
const sliceMs = 20
const fleetHosts = 10_000

const warmUp: Row = {
  name: 'warm-up',
  async measure(progress) {
    progress('120 hosts, three hours a round')
    const built = builtInWorld('medium', 7 * dayUs)
    const { world, source } = built
    const stringifiedTimes = 20
    const turns = await takeTurns(
      {
        warmUp: {
          run: () => {
            const beganMs = threadCpuMs()
            const beganNs = world.nowNs
            while (world.nowNs < beganNs + roundNs) source.warmUp(nowMs() + sliceMs)
            // The last slice goes beyond the round.
            const share = Number(world.nowNs - beganNs) / Number(roundNs)
            return (threadCpuMs() - beganMs) / share
          },
        },
        stringify: {
          run: () => {
            for (let time = 0; time < stringifiedTimes; time++) stringifiedHosts(built)
          },
        },
      },
      { rounds: 11, warmUps: 1 },
    )
    const weekSeconds = (roundsPerWeek * turns.median('warmUp')) / 1_000
    return [
      {
        row: 'warm-up',
        measured: 'three hours of warm-up, 120 hosts, with history',
        against: `${stringifiedTimes}× JSON.stringify of the hosts`,
        ...turns.ratio('warmUp', 'stringify'),
        unit: 'of it',
        better: 'lower',
        floor: 4.5,
        medians: `${weekSeconds.toFixed(1)} s of processor time for 7 days`,
      },
    ]
  },
}

const fleetStep: Row = {
  name: 'step',
  async measure(progress) {
    progress(`building ${fleetHosts} hosts`)
    const built = builtInWorld(fleetHosts, 0)
    const stepsPerMinute = 6
    for (let step = 0; step < 60; step++) built.world.step()
    const turns = await takeTurns(
      {
        steps: {
          run: () => {
            for (let step = 0; step < stepsPerMinute; step++) built.world.step()
          },
        },
        stringify: { run: () => void stringifiedHosts(built) },
      },
      { rounds: 11, warmUps: 1 },
    )
    const stepMs = turns.median('steps') / stepsPerMinute
    return [
      {
        row: 'step',
        measured: 'a simulated minute of 10,000 hosts (6 steps)',
        against: 'JSON.stringify of the hosts',
        ...turns.ratio('steps', 'stringify'),
        unit: 'of it',
        better: 'lower',
        floor: 0.6,
        medians: `${stepMs.toFixed(1)} ms of processor time a step : ${turns.median('stringify').toFixed(0)} ms`,
      },
    ]
  },
}

export const simulation: readonly Row[] = [warmUp, fleetStep]
