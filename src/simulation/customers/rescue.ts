import type { Business } from './business.ts'
import { replicasPromised } from './contracts.ts'
import type { Placer } from './placement.ts'
import { servesOn } from './serving.ts'

/** Ticks after which units of a failed host are started elsewhere, by how their data are kept. */
const graceTicks = { Ephemeral: 9, Replicated2: 18, Replicated3: 18, ErasureCoded: 24, Single: 120 } as const
/** Units that automation moves in a step. */
const movesPerStep = 120
/** A host is relieved of a unit when it wants so much more CPU than it has, and its new host less than so much. */
const crowded = 0.97
const roomy = 0.72

export interface Rescue {
  /** Looks at which hosts have come or gone. Tells whether any has. */
  notice(): boolean
  /** Moves units off hosts that have been gone for long enough. */
  step(): void
}

/** Moves units that their hosts do not serve. */
export function createRescue(business: Business, placer: Placer): Rescue {
  const { state, services, units, capacity } = business
  const lastReachable = new Uint8Array(state.plant.hosts.count).fill(255)
  const lastConnected = new Uint8Array(state.plant.hosts.count).fill(255)
  /** Units that may wait for a move; those that serve again drop out when they are looked at. */
  let lost: number[] = []

  const noticeUnit = (unit: number): void => {
    const serves = servesOn(business, units.service[unit], units.host[unit])
    if (serves) {
      units.downSince[unit] = -1
    } else if (units.downSince[unit] === -1) {
      units.downSince[unit] = state.tick
      lost.push(unit)
    }
  }

  const notice = (): boolean => {
    const { hostReachable, hostConnected } = state.network
    let changed = false
    for (let host = 0; host < lastReachable.length; host++) {
      if (hostReachable[host] === lastReachable[host] && hostConnected[host] === lastConnected[host]) continue
      lastReachable[host] = hostReachable[host]
      lastConnected[host] = hostConnected[host]
      changed = true
      for (let unit = units.firstOnHost[host]; unit !== -1; unit = units.nextOnHost[unit]) noticeUnit(unit)
    }
    return changed
  }

  const step = (): void => {
    if (lost.length === 0) return
    let moves = 0
    const waiting: number[] = []
    for (const unit of lost) {
      if (units.downSince[unit] === -1) continue
      const service = units.service[unit]
      const drained = state.condition.hostMaintenance[units.host[unit]] !== 0
      const due = drained || state.tick - units.downSince[unit] >= graceTicks[services.durabilityOf(service)]
      const worthTrying = due && moves < movesPerStep && services.triedAtRoom[service] < capacity.roomVersion
      if (!worthTrying) {
        waiting.push(unit)
        continue
      }
      moves++
      if (!relocate(business, placer, unit)) {
        services.triedAtRoom[service] = capacity.roomVersion
        waiting.push(unit)
      }
    }
    lost = waiting
  }

  return { notice, step }
}

/** Moves a unit to another host if one takes it. */
function relocate(business: Business, placer: Placer, unit: number): boolean {
  const { units, services } = business
  const service = units.service[unit]
  const account = business.byId.get(services.customer[service])
  if (account === undefined) return false
  const ask = placer.askOf(account, service)
  placer.mark(service, 1)
  const from = units.host[unit]
  placer.markHost(from, -1)
  const host = placer.findHost(ask, placer.standing, account.homeZone)
  placer.markHost(from, 1)
  placer.mark(service, -1)
  if (host === -1) return false
  placer.move(unit, host)
  return true
}

/** Once a minute, takes a unit that keeps no data off the first crowded host that is found. */
export function createRelief(business: Business, placer: Placer): () => void {
  const { state, services, units, capacity } = business
  const hosts = state.plant.hosts.count
  let relieveFrom = 0

  const relieve = (): void => {
    for (let looked = 0; looked < hosts; looked++) {
      const host = relieveFrom >= hosts ? 0 : relieveFrom
      relieveFrom = host + 1
      if (state.load.contention[host] < crowded || capacity.open[host] === 0) continue
      for (let unit = units.firstOnHost[host]; unit !== -1; unit = units.nextOnHost[unit]) {
        if (relieveOf(unit, host)) return
      }
    }
  }

  const relieveOf = (unit: number, from: number): boolean => {
    const service = units.service[unit]
    const account = business.byId.get(services.customer[service])
    if (account === undefined || account.dedicatedHosts) return false
    if (replicasPromised[services.durabilityOf(service)] > 0) return false
    const ask = placer.askOf(account, service)
    placer.mark(service, 1)
    const host = placer.findHost(ask, placer.standing, capacity.zone[from])
    placer.mark(service, -1)
    if (host === -1 || host === from || state.load.contention[host] > roomy) return false
    placer.move(unit, host)
    return true
  }

  return relieve
}
