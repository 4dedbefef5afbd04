import type { Account } from './account.ts'
import type { Business } from './business.ts'
import { refreshOpen } from './capacity.ts'
import { explainLack } from './placement-lack.ts'
import type { Placer } from './placement.ts'
import { createRelief, createRescue } from './rescue.ts'
import { countServing } from './serving.ts'

/** Services whose placement is tried again in a step. */
const retriesPerStep = 12

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
  const rescue = createRescue(business, placer)
  const relieve = createRelief(business, placer)
  let servingChanged = true
  let retryFrom = 0

  const trim = (_account: Account, service: number): void => {
    while (services.placed[service] > Math.max(0, services.requested[service])) {
      placer.take(units.firstOfService[service])
    }
    if (services.placed[service] === services.requested[service]) services.lack[service] = null
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
      if (account === undefined) continue
      tried++
      fill(business, placer, account, service)
    }
  }

  const recount = (): void => {
    if (!business.unitsChanged && !servingChanged) return
    countServing(business)
    if (business.unitsChanged) business.version++
    business.unitsChanged = false
    servingChanged = true
  }

  return {
    fill: (account, service, how) => fill(business, placer, account, service, how),
    trim,
    step() {
      refreshOpen(capacity, state)
      if (rescue.notice()) servingChanged = true
      rescue.step()
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

function fill(
  business: Business,
  placer: Placer,
  account: Account,
  service: number,
  how?: 'quietly',
): boolean {
  const { services, capacity } = business
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
    placer.markHost(host, 1)
  }
  const missing = services.placed[service] < services.requested[service]
  const before = services.lack[service] ?? null
  services.lack[service] = missing ? explainLack(business, placer, ask, placer.standing) : null
  placer.mark(service, -1)
  services.triedAtRoom[service] = missing ? capacity.roomVersion : 0
  if (how !== 'quietly') announcePlacement(business, account, service, before === null && missing, added)
  return !missing
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
