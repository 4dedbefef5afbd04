/** Units placed on hosts, as two sets of doubly linked lists: per service and per host. Rows are reused. */
export type UnitTable = ReturnType<typeof createUnitTable>

const initialCapacity = 64

export const createUnitTable = (hosts: number) => ({
  service: new Int32Array(initialCapacity),
  host: new Int32Array(initialCapacity),
  nextOfService: new Int32Array(initialCapacity),
  prevOfService: new Int32Array(initialCapacity),
  nextOnHost: new Int32Array(initialCapacity),
  prevOnHost: new Int32Array(initialCapacity),
  /** Tick of the unit's loss; -1 while its host serves it. */
  downSince: new Int32Array(initialCapacity),
  firstOnHost: new Int32Array(hosts).fill(-1),
  firstOfService: new Int32Array(initialCapacity).fill(-1),
  count: 0,
  rowsEnd: 0,
  /** First row of the free list, linked by `nextOfService`; -1 if empty. */
  firstFree: -1,
})

export function addUnit(units: UnitTable, service: number, host: number): void {
  const unit = units.firstFree === -1 ? units.rowsEnd++ : units.firstFree
  if (unit === units.firstFree) units.firstFree = units.nextOfService[unit]
  if (unit === units.host.length) grow(units)
  if (service >= units.firstOfService.length) {
    units.firstOfService = lengthen(units.firstOfService, service + 1, -1)
  }
  units.service[unit] = service
  units.downSince[unit] = -1
  linkToService(units, unit, service)
  linkToHost(units, unit, host)
  units.count++
}

export function removeUnit(units: UnitTable, unit: number): void {
  const next = units.nextOfService[unit]
  const prev = units.prevOfService[unit]
  if (prev === -1) units.firstOfService[units.service[unit]] = next
  else units.nextOfService[prev] = next
  if (next !== -1) units.prevOfService[next] = prev
  unlinkFromHost(units, unit)
  units.downSince[unit] = -1
  units.nextOfService[unit] = units.firstFree
  units.firstFree = unit
  units.count--
}

export function moveUnit(units: UnitTable, unit: number, host: number): void {
  unlinkFromHost(units, unit)
  linkToHost(units, unit, host)
  units.downSince[unit] = -1
}

function linkToService(units: UnitTable, unit: number, service: number): void {
  const first = units.firstOfService[service]
  units.nextOfService[unit] = first
  units.prevOfService[unit] = -1
  if (first !== -1) units.prevOfService[first] = unit
  units.firstOfService[service] = unit
}

function linkToHost(units: UnitTable, unit: number, host: number): void {
  const first = units.firstOnHost[host]
  units.host[unit] = host
  units.nextOnHost[unit] = first
  units.prevOnHost[unit] = -1
  if (first !== -1) units.prevOnHost[first] = unit
  units.firstOnHost[host] = unit
}

function unlinkFromHost(units: UnitTable, unit: number): void {
  const next = units.nextOnHost[unit]
  const prev = units.prevOnHost[unit]
  if (prev === -1) units.firstOnHost[units.host[unit]] = next
  else units.nextOnHost[prev] = next
  if (next !== -1) units.prevOnHost[next] = prev
}

function grow(units: UnitTable): void {
  const length = units.host.length * 2
  units.service = lengthen(units.service, length)
  units.host = lengthen(units.host, length)
  units.nextOfService = lengthen(units.nextOfService, length)
  units.prevOfService = lengthen(units.prevOfService, length)
  units.nextOnHost = lengthen(units.nextOnHost, length)
  units.prevOnHost = lengthen(units.prevOnHost, length)
  units.downSince = lengthen(units.downSince, length)
}

function lengthen(column: Int32Array, lengthMin: number, fill = 0) {
  const longer = new Int32Array(Math.max(lengthMin, column.length * 2)).fill(fill)
  longer.set(column)
  return longer
}
