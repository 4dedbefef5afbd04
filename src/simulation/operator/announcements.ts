import type { WorldView } from '../state.ts'
import { idOf } from '../topology/tables.ts'
import { day } from '../time.ts'
import type { Requirement, Purchase, Refusal } from './model.ts'

const zoneEntity = (zone: number) => ({ kind: 'Zone', id: idOf(zone) }) as const

export function announceOrder(world: WorldView, need: Requirement, { due, dollars }: Purchase): void {
  world.events.emit(world.now, 'CapacityOrdered', 'Info', need.entity, 'event.capacity-ordered', {
    what: need.what,
    dollars: Math.round(dollars),
    days: Math.max(1, Math.round((due - world.now) / day)),
    because: need.because,
  })
}

export function announceRefusal(
  world: WorldView,
  { what, because, entity, dollars }: Pick<Requirement, 'what' | 'because' | 'entity' | 'dollars'>,
  refusal: Refusal,
  available: number,
): void {
  const { events, now } = world
  if (refusal === 'money') {
    events.emit(now, 'CapacityRefused', 'Warning', entity, 'event.capacity-unaffordable', {
      what,
      because,
      dollars: Math.round(dollars),
      available: Math.round(available),
    })
    return
  }
  const key = refusal === 'room' ? 'event.capacity-without-room' : 'event.capacity-without-power'
  events.emit(now, 'CapacityRefused', 'Warning', entity, key, { what, because })
}

export function announceDelivery(world: WorldView, { what, zone, ordered }: Purchase): void {
  world.events.emit(world.now, 'CapacityDelivered', 'Info', zoneEntity(zone), 'event.capacity-delivered', {
    what,
    zone: world.topology.zones[zone].name,
    days: Math.round((world.now - ordered) / day),
  })
}

export function announceInService(world: WorldView, { what, zone, ordered }: Purchase): void {
  world.events.emit(world.now, 'CapacityAdded', 'Info', zoneEntity(zone), 'event.capacity-added', {
    what,
    zone: world.topology.zones[zone].name,
    days: Math.round((world.now - ordered) / day),
  })
}

export function announceRenewal(world: WorldView, host: number, model: string, dollars: number): void {
  const entity = { kind: 'Host', id: idOf(host) } as const
  world.events.emit(world.now, 'HardwareRenewed', 'Info', entity, 'event.hardware-renewed', {
    host: world.topology.hosts.name[host],
    model,
    dollars: Math.round(dollars),
  })
}

export function announceHire(world: WorldView, name: string, skill: string): void {
  const entity = { kind: 'World', id: null } as const
  world.events.emit(world.now, 'StaffHired', 'Info', entity, 'event.staff-hired', { name, skill })
}
