import type { RandomStream } from '../random.ts'
import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { day } from '../time.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { Column, Topology } from '../topology/tables.ts'

/** SSD wear that triggers the replacement of a host's SSDs. */
const wearMax = 0.75
const batteryInterval: Micros = 60 * day
const filterInterval: Micros = 21 * day

export interface UpkeepTarget {
  readonly kind: 'Host' | 'PowerFeed' | 'CoolingUnit'
  readonly row: number
}

interface Upkeep {
  readonly target: UpkeepTarget
  readonly reason: string
}

interface MaintenanceState {
  /** Time of the last renewal of batteries and filters, by row. */
  readonly batteriesRenewed: Float64Array
  readonly filtersRenewed: Float64Array
}

/** Finds parts that are due for upkeep, before they fail. */
export class MaintenancePlanner {
  readonly state: MaintenanceState

  constructor(topology: Topology, random: RandomStream) {
    const renewals = ({ count, capacity }: Column, interval: Micros) =>
      Float64Array.from({ length: capacity }, (_, row) => (row < count ? -random.uniform(0, interval) : 0))
    this.state = {
      batteriesRenewed: renewals(topology.feeds, batteryInterval),
      filtersRenewed: renewals(topology.coolingUnits, filterInterval),
    }
  }

  /** Worn SSDs in descending order of wear, then batteries and filters. */
  findDue({ topology, condition, now }: WorldView): Upkeep[] {
    const { hostWear, hostBroken } = condition
    const { zones, feeds } = topology
    const worn: number[] = []
    for (const host of topology.hosts.rows) {
      if (hostWear[host] >= wearMax && hostBroken[host] === 0) worn.push(host)
    }
    worn.sort((a, b) => hostWear[b] - hostWear[a] || a - b)
    const due: Upkeep[] = worn.map((row) => ({
      target: { kind: 'Host', row },
      reason: `${Math.floor(hostWear[row] * 100)} % worn`,
    }))
    this.state.batteriesRenewed.forEach((renewed, row) => {
      const since = Math.max(renewed, zones[feeds.zone[row]]?.opened ?? now)
      if (now - since < batteryInterval) return
      due.push({ target: { kind: 'PowerFeed', row }, reason: 'every 60 days' })
    })
    this.state.filtersRenewed.forEach((renewed, row) => {
      const since = Math.max(renewed, condition.coolingInstalled[row])
      if (row >= topology.coolingUnits.count || now - since < filterInterval) return
      due.push({ target: { kind: 'CoolingUnit', row }, reason: 'every 3 weeks' })
    })
    return due
  }

  markRenewed(target: FaultTarget, now: Micros): void {
    if (target.kind === 'PowerFeed') this.state.batteriesRenewed[target.row] = now
    if (target.kind === 'CoolingUnit') this.state.filtersRenewed[target.row] = now
  }
}
