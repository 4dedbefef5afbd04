import type { WorldView } from '../state.ts'
import type { Topology } from '../topology/tables.ts'
import { idOf } from '../topology/tables.ts'
import { day } from '../time.ts'
import type { Requirement, Purchase, Refusal, Sale } from './model.ts'

const zoneEntity = (zone: number) => ({ kind: 'Zone', id: idOf(zone) }) as const

export function announceOrder(world: WorldView, need: Requirement, { due, dollars, hires }: Purchase): void {
  const key = hires === null ? 'event.capacity-ordered' : 'event.technician-found'
  world.events.emit(world.now, 'CapacityOrdered', 'Info', need.entity, key, {
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
  if (refusal.endsWith('on order')) {
    const args = { what, because, refusal: refusal.replace(' on order', '') }
    events.emit(now, 'CapacityRefused', 'Info', entity, 'event.capacity-waits', args)
    return
  }
  const key = refusal === 'room' ? 'event.capacity-without-room' : 'event.capacity-without-power'
  events.emit(now, 'CapacityRefused', 'Warning', entity, key, { what, because })
}

export function announceDelivery(world: WorldView, { what, zone, ordered }: Purchase): void {
  world.events.emit(world.now, 'CapacityDelivered', 'Info', zoneEntity(zone), 'event.capacity-delivered', {
    what,
    days: Math.round((world.now - ordered) / day),
  })
}

export function announceMisdelivery(
  world: WorldView,
  { what, zone }: Purchase,
  mistake: string,
  days: number,
): void {
  const args = { what, mistake, days }
  const { events, now } = world
  events.emit(now, 'CapacityDelivered', 'Warning', zoneEntity(zone), 'event.capacity-misdelivered', args)
}

export function announceInService(world: WorldView, { what, zone, ordered }: Purchase): void {
  world.events.emit(world.now, 'CapacityAdded', 'Info', zoneEntity(zone), 'event.capacity-added', {
    what,
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

/** The name of sold hosts in texts. */
export function soldName({ zones, hosts }: Topology, sale: Sale): string {
  const zone = zones[sale.zone].displayName
  return sale.hosts.length === 1
    ? `${hosts.name[sale.hosts[0]]} of ${zone}`
    : `${sale.hosts.length} hosts of ${zone}`
}

export function announceSalePlanned(world: WorldView, sale: Sale): void {
  world.events.emit(world.now, 'SalePlanned', 'Info', zoneEntity(sale.zone), 'event.sale-planned', {
    what: soldName(world.topology, sale),
    days: Math.max(1, Math.round((sale.due - world.now) / day)),
    because: sale.because,
  })
}

export function announceSaleCalledOff(world: WorldView, sale: Sale, because: string): void {
  world.events.emit(world.now, 'SaleCalledOff', 'Info', zoneEntity(sale.zone), 'event.sale-called-off', {
    what: soldName(world.topology, sale),
    because,
  })
}

export function announceSold(world: WorldView, sale: Sale, dollars: number, owed: number): void {
  const { events, now, topology } = world
  const sold = { what: soldName(topology, sale), dollars: Math.round(dollars), because: sale.because }
  const entity = zoneEntity(sale.zone)
  const loss = Math.round(owed) - sold.dollars
  if (owed < 1) events.emit(now, 'HardwareSold', 'Info', entity, 'event.hardware-sold', sold)
  else if (loss > 0)
    events.emit(now, 'HardwareSold', 'Info', entity, 'event.hardware-sold-at-loss', { ...sold, loss })
  else {
    const args = { ...sold, owed: Math.round(owed) }
    events.emit(now, 'HardwareSold', 'Info', entity, 'event.hardware-sold-early', args)
  }
}
