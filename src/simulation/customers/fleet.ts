import type { Account } from './account.ts'
import type { Business } from './business.ts'
import { refreshOpen } from './capacity.ts'
import { replicasPromised } from './contracts.ts'
import { explainLack } from './placement-lack.ts'
import type { Placer } from './placement.ts'

/** Ticks after which units of a failed host are started elsewhere, by how their data are kept. */
const graceTicks = { Ephemeral: 9, Replicated2: 18, Replicated3: 18, ErasureCoded: 24, Single: 120 } as const
/** Ticks for which requests still go to a unit that has just been lost. */
const failoverTicks = 3
/** Units that automation moves in a step, and services whose placement is tried again in a step. */
const movesPerStep = 120
const retriesPerStep = 12
/** A host is relieved of a unit when it wants so much more CPU than it has, and its new host less than so much. */
const crowded = 0.97
const roomy = 0.72

export interface Fleet {
  /** Places what a service lacks. Tells whether all of it is placed. */
  fill(account: Account, service: number, how?: 'quietly'): boolean
  /** Takes away units beyond what is requested. */
  trim(account: Account, service: number): void
  /** Looks at hosts that have come or gone, moves units off lost ones, retries what found no room. */
  step(): void
  /** Counts anew what serves, where units have come, gone or moved. */
  recount(): void
  /** Whether units serve as they did when this was last asked. */
  takeServingChanged(): boolean
}

export function createFleet(business: Business, placer: Placer): Fleet {
  const { state, services, units, capacity } = business
  const hosts = state.plant.hosts.count
  const lastReachable = new Uint8Array(hosts).fill(255)
  const lastConnected = new Uint8Array(hosts).fill(255)
  let servingChanged = true
  let retryFrom = 0
  /** Units that may wait for a move; those that serve again drop out when they are looked at. */
  let lost: number[] = []

  const fill = (account: Account, service: number, how?: 'quietly'): boolean => {
    if (services.placed[service] >= services.requested[service]) return true
    const ask = placer.askOf(account, service)
    placer.mark(service, 1)
    let host = 0
    let added = 0
    while (services.placed[service] < services.requested[service]) {
      host = placer.findHost(ask, placer.standing, account.homeZone)
      if (host === -1) break
      placer.put(account, service, host)
      added++
      placer.standing.onHost[host]++
      placer.standing.inRack[capacity.rack[host]]++
      placer.standing.inZone[capacity.zone[host]]++
    }
    const missing = services.placed[service] < services.requested[service]
    const before = services.lack[service] ?? null
    services.lack[service] = missing ? explainLack(business, placer, ask, placer.standing) : null
    placer.mark(service, -1)
    services.triedAtRoom[service] = missing ? capacity.roomVersion : 0
    if (how !== 'quietly') announcePlacement(business, account, service, before === null && missing, added)
    return !missing
  }

  const trim = (_account: Account, service: number): void => {
    while (services.placed[service] > Math.max(0, services.requested[service])) {
      placer.take(units.firstOfService[service])
    }
    if (services.placed[service] === services.requested[service]) services.lack[service] = null
  }

  /** Moves a unit to another host if one takes it. */
  const relocate = (unit: number): boolean => {
    const service = units.service[unit]
    const account = business.byId.get(services.customer[service])
    if (account === undefined) return false
    const ask = placer.askOf(account, service)
    placer.mark(service, 1)
    const from = units.host[unit]
    placer.standing.onHost[from]--
    placer.standing.inRack[capacity.rack[from]]--
    placer.standing.inZone[capacity.zone[from]]--
    const host = placer.findHost(ask, placer.standing, account.homeZone)
    placer.standing.onHost[from]++
    placer.standing.inRack[capacity.rack[from]]++
    placer.standing.inZone[capacity.zone[from]]++
    placer.mark(service, -1)
    if (host === -1) return false
    placer.move(unit, host)
    return true
  }

  const noticeHosts = (): void => {
    const { hostReachable, hostConnected } = state.network
    let changed = false
    for (let host = 0; host < hosts; host++) {
      if (hostReachable[host] === lastReachable[host] && hostConnected[host] === lastConnected[host]) continue
      lastReachable[host] = hostReachable[host]
      lastConnected[host] = hostConnected[host]
      changed = true
      for (let unit = units.firstOnHost[host]; unit !== -1; unit = units.nextOnHost[unit]) noticeUnit(unit)
    }
    if (changed) servingChanged = true
  }

  const noticeUnit = (unit: number): void => {
    const serves = servesOn(business, units.service[unit], units.host[unit])
    if (serves) {
      units.downSince[unit] = -1
    } else if (units.downSince[unit] === -1) {
      units.downSince[unit] = state.tick
      lost.push(unit)
    }
  }

  const rescue = (): void => {
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
      if (!relocate(unit)) {
        services.triedAtRoom[service] = capacity.roomVersion
        waiting.push(unit)
      }
    }
    lost = waiting
  }

  const retry = (): void => {
    let tried = 0
    const { end } = services
    for (let looked = 0; looked < end && tried < retriesPerStep; looked++) {
      const service = retryFrom >= end ? 0 : retryFrom
      retryFrom = service + 1
      if (services.placed[service] >= services.requested[service]) continue
      if (services.triedAtRoom[service] >= capacity.roomVersion) continue
      const account = business.byId.get(services.customer[service])
      if (account === undefined || account.lifecycle === 'Pending') continue
      tried++
      fill(account, service)
    }
  }

  let relieveFrom = 0
  /** Once a minute, takes a unit that keeps no data off the first crowded host that is found. */
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

  const recount = (): void => {
    if (!business.unitsChanged && !servingChanged) return
    countServing(business)
    if (business.unitsChanged) business.version++
    business.unitsChanged = false
    servingChanged = true
  }

  return {
    fill,
    trim,
    step() {
      refreshOpen(capacity, state)
      noticeHosts()
      rescue()
      retry()
      if (state.tick % 6 === 3) relieve()
      recount()
    },
    recount,
    takeServingChanged() {
      const changed = servingChanged
      servingChanged = false
      return changed
    },
  }
}

/** Whether a host lets a unit of the service do its work. */
const servesOn = ({ state, services }: Business, service: number, host: number): boolean =>
  (services.faced[service] === 1 ? state.network.hostReachable[host] : state.network.hostConnected[host]) ===
  1

/** Counts what serves and what is stranded, lists the hosts that serve, and checks what was promised of them. */
function countServing(business: Business): void {
  const { services, units, state } = business
  const { strandedUnits } = state.load
  if (business.servingHosts.length < units.count) business.servingHosts = new Int32Array(units.count * 2)
  const { servingHosts } = business
  strandedUnits.fill(0)
  for (const account of business.accounts) account.strandedUnits = 0
  let at = 0
  for (let service = 0; service < services.end; service++) {
    if (services.customer[service] === 0) continue
    services.firstServing[service] = at
    let stranded = 0
    for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
      const host = units.host[unit]
      if (servesOn(business, service, host)) {
        servingHosts[at++] = host
      } else {
        stranded++
        strandedUnits[host]++
      }
    }
    const lostNow = stranded - services.stranded[service]
    if (lostNow > 0) {
      services.failoverUntil[service] = state.tick + failoverTicks
      services.failoverShare[service] = lostNow / Math.max(1, services.placed[service])
    }
    services.stranded[service] = stranded
    services.serving[service] = at - services.firstServing[service]
    const account = business.byId.get(services.customer[service]) as Account
    account.strandedUnits += stranded
    checkSpread(business, account, service)
  }
  for (const account of business.accounts) checkPromises(business, account)
}

/** Whether serving units lie apart as promised, and how many replicas are alive. */
function checkSpread(business: Business, account: Account, service: number): void {
  const { services, capacity, servingHosts } = business
  const { seenHost, seenRack, seenZone } = business.seen
  const stamp = ++business.seen.stamp
  const first = services.firstServing[service]
  const end = first + services.serving[service]
  let hosts = 0
  let racks = 0
  let zones = 0
  for (let i = first; i < end; i++) {
    const host = servingHosts[i]
    if (seenHost[host] === stamp) continue
    seenHost[host] = stamp
    hosts++
    if (seenRack[capacity.rack[host]] !== stamp) racks++
    if (seenZone[capacity.zone[host]] !== stamp) zones++
    seenRack[capacity.rack[host]] = stamp
    seenZone[capacity.zone[host]] = stamp
  }
  const promised = replicasPromised[services.durabilityOf(service)]
  services.replicasHeld[service] = Math.min(promised, hosts)
  const several = services.requested[service] > 1
  const racksKept = !account.contract.faultIsolation || !several || racks > 1
  const zonesKept = !account.contract.multiZone || !several || zones > 1
  services.spreadKept[service] = racksKept && zonesKept ? 1 : 0
}

function checkPromises(business: Business, account: Account): void {
  const { services } = business
  account.redundancyBroken =
    account.live &&
    account.services.some(
      (service) =>
        services.spreadKept[service] === 0 ||
        services.replicasHeld[service] < replicasPromised[services.durabilityOf(service)],
    )
}

function announcePlacement(
  business: Business,
  account: Account,
  service: number,
  lacking: boolean,
  added: number,
): void {
  const { state, services } = business
  const { events, now } = state
  const entity = { kind: 'Customer', id: account.id } as const
  const name = services.classOf(service)
  const gap = services.requested[service] - services.placed[service]
  const lack = services.lack[service]
  if (lacking && lack) {
    events.emit(now, 'ServiceUnplaced', 'Warning', entity, 'event.service-unplaced', {
      customer: account.name,
      service: name,
      gap,
      where: lack.subject,
    })
  } else if (gap === 0 && added > 0 && account.live) {
    events.emit(now, 'ServicePlaced', 'Info', entity, 'event.service-placed', {
      customer: account.name,
      service: name,
      units: services.placed[service],
    })
  }
}
