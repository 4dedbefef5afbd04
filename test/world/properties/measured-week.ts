import { bands } from '../../../src/contract/vocabularies.ts'
import type { Band } from '../../../src/contract/vocabularies.ts'
import { portRole } from '../../../src/world/simulation/topology/tables.ts'
import type { WorldView } from '../../../src/world/simulation/state.ts'
import { hour, minute, secondOfDay, week } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'

/** A week of a world at the default scale, in the figures that determine its plausibility. */
export interface MeasuredWeek {
  readonly hoursBetweenIncidents: number
  /** Incidents by their peak band. */
  readonly incidents: Readonly<Record<Band, number>>
  /** Share of the week with an open incident of each band. */
  readonly time: Readonly<Record<Band, number>>
  /** Percentages in the evening peak hours. */
  readonly evening: Utilization
  /** Ratio of requests in the busiest and the quietest hour of a day, for each customer present all week. */
  readonly dayOverNight: readonly number[]
  /** Percentage of answered requests while no incident above Watch was open, for each of these customers. */
  readonly availability: readonly number[]
}

interface Utilization {
  readonly cpu: number
  readonly memory: number
  /** Carrier links in the busier direction: in total, and the fullest. */
  readonly wan: number
  readonly fullestWan: number
  /** The fullest uplink of a rack. */
  readonly fullestUplink: number
}

const peakHours: ReadonlySet<number> = new Set([19, 20, 21])

export function measureWeek(seed: bigint): MeasuredWeek {
  const sim = createSimulation({ seed, scale: 'medium', scenario: null, warmUp: 0, speed: 60 })
  const { state } = sim
  const links = linksOf(state)
  const evening = new Means()
  const incidents = new IncidentLog()
  const users = new UserLog()
  while (state.now < week) {
    sim.step()
    if (state.now % minute !== 0) continue
    incidents.look(state)
    users.look(state, incidents.quiet)
    if (state.now % (5 * minute) !== 0 || !peakHours.has(hourOf(state.now))) continue
    evening.add(utilization(state, links))
  }
  return {
    hoursBetweenIncidents: week / hour / incidents.opened,
    incidents: incidents.countsByWorstBand(),
    time: incidents.shares(),
    evening: evening.mean(),
    dayOverNight: users.dayOverNight(),
    availability: users.availability(),
  }
}

const hourOf = (now: Micros): number => Math.floor(secondOfDay(now) / 3600)

/** Open incidents, minute by minute. */
class IncidentLog {
  /** Whether no incident above Watch is open. */
  quiet = true
  readonly #worstBands = new Map<number, number>()
  readonly #minutes = bands.map(() => 0)
  #looks = 0

  get opened(): number {
    return this.#worstBands.size
  }

  look({ incidents }: WorldView): void {
    this.#looks++
    const present = new Set<number>()
    for (const { id, band } of incidents.values()) {
      const level = bands.indexOf(band)
      present.add(level)
      this.#worstBands.set(id, Math.max(level, this.#worstBands.get(id) ?? 0))
    }
    for (const level of present) this.#minutes[level]++
    this.quiet = [...present].every((level) => level === 0)
  }

  countsByWorstBand(): Record<Band, number> {
    return byBand((level) => [...this.#worstBands.values()].filter((worst) => worst === level).length)
  }

  shares(): Record<Band, number> {
    return byBand((level) => this.#minutes[level] / this.#looks)
  }
}

const byBand = (of: (level: number) => number): Record<Band, number> =>
  Object.fromEntries(bands.map((band, level) => [band, of(level)])) as Record<Band, number>

/** Requests of each customer's users, and their outcomes. */
class UserLog {
  readonly #users = new Map<number, User>()
  #minutes = 0

  look({ tenants, now }: WorldView, quiet: boolean): void {
    this.#minutes++
    for (const { id, requestsPerSecond, failing, lifecycle } of tenants.active) {
      if (lifecycle !== 'Active' && lifecycle !== 'Probation') continue
      let user = this.#users.get(id)
      if (user === undefined) {
        user = { byHour: new Float64Array(24), minutes: 0, asked: 0, answered: 0 }
        this.#users.set(id, user)
      }
      user.byHour[hourOf(now)] += requestsPerSecond
      user.minutes++
      if (!quiet) continue
      user.asked += requestsPerSecond
      user.answered += requestsPerSecond * (1 - failing)
    }
  }

  get #steady(): User[] {
    return [...this.#users.values()].filter(({ minutes }) => minutes === this.#minutes)
  }

  dayOverNight(): number[] {
    return this.#steady.map(({ byHour }) => Math.max(...byHour) / Math.min(...byHour))
  }

  availability(): number[] {
    return this.#steady.map(({ asked, answered }) => (100 * answered) / asked)
  }
}

interface User {
  readonly byHour: Float64Array
  minutes: number
  asked: number
  answered: number
}

class Means {
  readonly #sums: Record<string, number> = {}
  #count = 0

  add(figures: Utilization): void {
    this.#count++
    for (const [name, value] of Object.entries(figures)) {
      this.#sums[name] = (this.#sums[name] ?? 0) + (value as number)
    }
  }

  mean(): Utilization {
    const means = Object.entries(this.#sums).map(([name, total]) => [name, total / this.#count])
    return Object.fromEntries(means) as Utilization
  }
}

interface Links {
  readonly wan: readonly number[]
  readonly uplinks: readonly number[]
}

function linksOf({ topology: { ports } }: WorldView): Links {
  const cabled = (role: number): number[] =>
    Array.from({ length: ports.count }, (_, port) => port).filter(
      (port) => ports.role[port] === role && ports.peer[port] >= 0,
    )
  return { wan: cabled(portRole.GatewayWan), uplinks: cabled(portRole.EdgeUp) }
}

function utilization(state: WorldView, { wan, uplinks }: Links): Utilization {
  const { topology, load } = state
  let used = 0
  let vcpu = 0
  let promised = 0
  let memory = 0
  for (const host of topology.hosts.rows) {
    const sku = topology.hostSkus[topology.hosts.sku[host]]
    used += load.cpuUsedMilli[host]
    vcpu += sku.vcpu * 1000
    promised += load.allocatedMemMb[host]
    memory += sku.memMb
  }
  const [wanAll, fullestWan] = fill(state, wan)
  const [, fullestUplink] = fill(state, uplinks)
  return {
    cpu: (100 * used) / vcpu,
    memory: (100 * promised) / memory,
    wan: wanAll,
    fullestWan,
    fullestUplink,
  }
}

/** Utilization of links in the busier direction, in percent: in total, and of the fullest. */
function fill({ topology, network }: WorldView, ports: readonly number[]): [all: number, fullest: number] {
  let [tx, rx, capacity, fullest] = [0, 0, 0, 0]
  for (const port of ports) {
    const gbps = topology.ports.capacityGbps[port]
    tx += network.portTxGbps[port]
    rx += network.portRxGbps[port]
    capacity += gbps
    fullest = Math.max(fullest, network.portTxGbps[port] / gbps, network.portRxGbps[port] / gbps)
  }
  return [(100 * Math.max(tx, rx)) / capacity, 100 * fullest]
}
