import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createClock } from '../../src/contract/clock.ts'
import { defaultCollectors } from '../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { createSimulation } from '../../src/records/simulation.ts'
import { SimulationSource } from '../../src/sources/built-in/simulation-source.ts'
import { median, roundsMin } from './harness.ts'
import type { Subject } from './harness.ts'
import { startService } from './service.ts'

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6
const weekUs = 7 * 86_400_000_000
const fleetHosts = 10_000

/** The built-in world as the service runs it, its history kept. */
function sourceOf(scale: number | 'medium', warmUpUs: number): SimulationSource {
  const clock = createClock(() => process.hrtime.bigint(), setTimeout, clearTimeout)
  return new SimulationSource({
    title: 'bench',
    world: createSimulation({ seed: 1n, scale, warmUp: warmUpUs, scenario: null, speed: 60 }),
    exposition: createExposition({ collectors: defaultCollectors }),
    clock,
    speed: 60,
    warmUpNs: BigInt(warmUpUs) * 1_000n,
    cadenceMs: 1_000,
  })
}

const warmUp: Subject = {
  name: 'warm-up',
  measure(progress) {
    const took: number[] = []
    for (let round = 1; round <= 3; round++) {
      progress(`week ${round} of 3`)
      const beganMs = nowMs()
      const source = sourceOf('medium', weekUs)
      while (source.warmUp(nowMs() + 1_000).done < 1);
      took.push((nowMs() - beganMs) / 1_000)
    }
    return Promise.resolve({
      measured: '7 days of warm-up, 120 hosts',
      against: '—',
      value: median(took),
      unit: 's',
      better: 'lower' as const,
      floor: 8,
      aim: 8,
      medians: `${took.map((seconds) => seconds.toFixed(1)).join(', ')} s`,
    })
  },
}

const fleetStep: Subject = {
  name: 'step',
  measure(progress) {
    progress(`building ${fleetHosts} hosts`)
    const world = createSimulation({ seed: 1n, scale: fleetHosts, warmUp: 0, scenario: null, speed: 60 })
    for (let step = 0; step < 120; step++) world.step()
    const minutes: number[] = []
    let worst = 0
    for (let minute = 0; minute < 5 * roundsMin; minute++) {
      let sum = 0
      for (let step = 0; step < 6; step++) {
        const beganMs = nowMs()
        world.step()
        const took = nowMs() - beganMs
        sum += took
        worst = Math.max(worst, took)
      }
      minutes.push(sum / 6)
    }
    const value = median(minutes)
    return Promise.resolve({
      measured: `a simulation step, ${fleetHosts.toLocaleString('en')} hosts, mean over a simulated minute`,
      against: '—',
      value,
      unit: 'ms',
      better: 'lower' as const,
      floor: 25,
      aim: 10,
      medians: `${value.toFixed(1)} ms, longest single step ${worst.toFixed(0)} ms`,
    })
  },
}

/** Resident memory of a process, in GiB. */
function residentGiB(pid: number): number {
  const line = /^VmRSS:\s+(?<kib>\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line!.groups!['kib']) / 2 ** 20
}

const fleetMemory: Subject = {
  name: 'memory',
  async measure(progress) {
    progress(`starting the service with ${fleetHosts} hosts`)
    const { origin, process: service } = await startService(['--scale', String(fleetHosts), '--warmup', '1h'])
    progress('polling it for half a minute')
    let most = 0
    for (let poll = 0; poll < 30; poll++) {
      await (await fetch(`${origin}/api/v1/hosts?limit=1000&offset=${(poll % 10) * 1_000}`)).arrayBuffer()
      await (await fetch(`${origin}/metrics`)).arrayBuffer()
      most = Math.max(most, residentGiB(service.pid!))
      await pause(1_000)
    }
    service.kill()
    return {
      measured: `whole service, ${fleetHosts.toLocaleString('en')} hosts, being polled and scraped`,
      against: '—',
      value: most,
      unit: 'GiB',
      better: 'lower',
      floor: 1,
      aim: 0.6,
      medians: `${most.toFixed(2)} GiB resident at most`,
    }
  },
}

export const simulation: readonly Subject[] = [warmUp, fleetStep, fleetMemory]
