import type { Plant } from '../plant/tables.ts'
import type { RandomStream } from '../random.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import { day, type Micros } from '../time.ts'

/** SSDs as worn as this are renewed. */
const wornShare = 0.75
const batteriesEvery: Micros = 60 * day
const filtersEvery: Micros = 21 * day

export interface Upkeep {
  readonly target: FaultTarget
  readonly reason: string
}

/** What has to be looked after before it breaks. */
export class Rounds {
  private readonly batteriesDone: Float64Array
  private readonly filtersDone: Float64Array

  constructor(plant: Plant, random: RandomStream) {
    this.batteriesDone = Float64Array.from(
      { length: plant.feeds.count },
      () => -random.uniform(0, batteriesEvery),
    )
    this.filtersDone = Float64Array.from(
      { length: plant.coolingUnits.count },
      () => -random.uniform(0, filtersEvery),
    )
  }

  /** What is due: worn SSDs, most worn first, then batteries and filters. */
  due(state: WorldState): Upkeep[] {
    const { hostWear, hostBroken } = state.condition
    const worn: number[] = []
    for (let host = 0; host < hostWear.length; host++) {
      if (hostWear[host] >= wornShare && hostBroken[host] === 0) worn.push(host)
    }
    worn.sort((a, b) => hostWear[b] - hostWear[a] || a - b)
    const due: Upkeep[] = worn.map((row) => ({
      target: { kind: 'Host', row },
      reason: `${Math.floor(hostWear[row] * 100)} % worn`,
    }))
    this.batteriesDone.forEach((done, row) => {
      if (state.now - done >= batteriesEvery)
        due.push({ target: { kind: 'PowerFeed', row }, reason: 'every 60 days' })
    })
    this.filtersDone.forEach((done, row) => {
      if (state.now - done >= filtersEvery)
        due.push({ target: { kind: 'CoolingUnit', row }, reason: 'every 3 weeks' })
    })
    return due
  }

  done(target: FaultTarget, now: Micros): void {
    if (target.kind === 'PowerFeed') this.batteriesDone[target.row] = now
    if (target.kind === 'CoolingUnit') this.filtersDone[target.row] = now
  }
}
