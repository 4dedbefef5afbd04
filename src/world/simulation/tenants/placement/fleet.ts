import { serviceNames } from '../../../../contract/messages/customers.ts'
import { takeVersions } from '../../part.ts'
import { isDue, schedule } from '../../schedule.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { classOf } from '../service-table.ts'
import { updateOpenHosts } from './capacity.ts'
import { evacuateLostUnits, findLostUnits, rebalanceHotHost } from './evacuation.ts'
import type { Placer } from './placement.ts'
import { countServing } from './serving-hosts.ts'
import { explainUnplacedUnits } from './unplaced-reason.ts'

/** Bound of the retried services per step. */
const retriesPerStep = 12

interface FillOptions {
  readonly silent: boolean
}

export interface Fleet {
  /** Places the missing units of a service. Returns whether all of them are placed. */
  fill(account: Account, service: number, options?: FillOptions): boolean
  /** Removes units beyond the requested number. */
  trim(service: number): void
  /** Moves units off lost and hot hosts, and retries failed placements. */
  step(): void
  /** Recounts serving units after any change of placement. */
  recount(): void
  /** Whether the set of serving units has changed since the last call. */
  takeServingChanged(): boolean
}

export function createFleet(context: TenantContext, placer: Placer): Fleet {
  const { world, state } = context
  const { placement, services, units } = state
  const recount = (): void => {
    if (!state.unitsChanged && !placement.servingChanged) return
    countServing(context)
    if (state.unitsChanged) state.version++
    state.unitsChanged = false
    placement.servingChanged = true
  }
  return {
    fill: (account, service, options) => fill(context, placer, account, service, options),
    trim(service) {
      while (services.placed[service] > Math.max(0, services.requested[service])) {
        placer.remove(units.firstOfService[service])
      }
      if (services.placed[service] === services.requested[service]) services.unplacedReason[service] = null
    },
    step() {
      const { facility, network, condition, topology } = world
      if (
        takeVersions(
          placement.known,
          facility.version,
          network.routeVersion,
          condition.version,
          topology.version,
        )
      ) {
        updateOpenHosts(state.capacity, world)
        if (findLostUnits(context)) placement.servingChanged = true
      }
      evacuateLostUnits(context, placer)
      retryPlacements(context, placer)
      if (isDue(schedule.hotHostRebalancing, world.tick)) rebalanceHotHost(context, placer)
      recount()
    },
    recount,
    takeServingChanged() {
      const changed = placement.servingChanged
      placement.servingChanged = false
      return changed
    },
  }
}

/** Retries services with unplaced units, round robin, if capacity has been freed since the last attempt. */
function retryPlacements(context: TenantContext, placer: Placer): void {
  const { services, capacity, byId, placement } = context.state
  const { roomVersion } = capacity
  if (placement.retriedAt === roomVersion) return
  const { rowsEnd } = services
  let retries = 0
  for (let visited = 0; visited < rowsEnd && retries < retriesPerStep; visited++) {
    const service = placement.retryFrom >= rowsEnd ? 0 : placement.retryFrom
    placement.retryFrom = service + 1
    if (services.placed[service] >= services.requested[service]) continue
    if (services.attemptedAtRoomVersion[service] >= capacity.roomVersion) continue
    const account = byId.get(services.customer[service])
    if (account === undefined) continue
    retries++
    fill(context, placer, account, service)
  }
  if (retries < retriesPerStep) placement.retriedAt = roomVersion
}

function fill(
  context: TenantContext,
  placer: Placer,
  account: Account,
  service: number,
  options?: FillOptions,
): boolean {
  const { services, capacity } = context.state
  if (services.placed[service] >= services.requested[service]) return true
  const request = placer.requestFor(account, service)
  placer.markSpread(service, 1)
  while (services.placed[service] < services.requested[service]) {
    const host = placer.findHost(request, account.homeZone)
    if (host === -1) break
    placer.place(account, service, host)
    placer.markHost(host, 1)
  }
  const isMissing = services.placed[service] < services.requested[service]
  const wasExplained = (services.unplacedReason[service] ?? null) !== null
  services.unplacedReason[service] = isMissing ? explainUnplacedUnits(context, placer, request) : null
  placer.markSpread(service, -1)
  services.attemptedAtRoomVersion[service] = isMissing ? capacity.roomVersion : 0
  if (!options?.silent) announcePlacement(context, account, service, wasExplained)
  return !isMissing
}

/** Announces a lack of hosts, and its end. */
function announcePlacement(
  { world, state: { services } }: TenantContext,
  account: Account,
  service: number,
  wasExplained: boolean,
): void {
  const { events, now } = world
  const entity = { kind: 'Customer', id: account.id } as const
  const name = serviceNames[classOf(services, service)]
  const gap = services.requested[service] - services.placed[service]
  const reason = services.unplacedReason[service]
  if (reason && !wasExplained) {
    events.emit(now, 'ServiceUnplaced', 'Warning', entity, 'event.service-unplaced', {
      customer: account.name,
      service: name,
      gap,
      where: reason.subject,
    })
  } else if (gap === 0 && wasExplained && account.live) {
    events.emit(now, 'ServicePlaced', 'Info', entity, 'event.service-placed', {
      customer: account.name,
      service: name,
      units: services.placed[service],
    })
  }
}
