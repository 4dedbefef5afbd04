/**
 * Units that stand on a host, as two sets of chains: those of one service and those on one host. Rows of units
 * that have left are used again.
 */
export class UnitTable {
  service = new Int32Array(64)
  host = new Int32Array(64)
  nextOfService = new Int32Array(64)
  private prevOfService = new Int32Array(64)
  nextOnHost = new Int32Array(64)
  private prevOnHost = new Int32Array(64)
  /** Tick at which the unit's host stopped to serve it; -1 while it serves. */
  downSince = new Int32Array(64)
  readonly firstOnHost: Int32Array
  firstOfService = new Int32Array(64).fill(-1)
  count = 0
  private used = 0
  private free = -1

  constructor(hosts: number) {
    this.firstOnHost = new Int32Array(hosts).fill(-1)
  }

  add(service: number, host: number): number {
    const unit = this.free === -1 ? this.used++ : this.free
    if (unit === this.free) this.free = this.nextOfService[unit]
    if (unit === this.host.length) this.grow()
    if (service >= this.firstOfService.length) {
      this.firstOfService = lengthened(this.firstOfService, service + 1, -1)
    }
    this.service[unit] = service
    this.downSince[unit] = -1
    this.chainToService(unit, service)
    this.chainToHost(unit, host)
    this.count++
    return unit
  }

  remove(unit: number): void {
    const next = this.nextOfService[unit]
    const prev = this.prevOfService[unit]
    if (prev === -1) this.firstOfService[this.service[unit]] = next
    else this.nextOfService[prev] = next
    if (next !== -1) this.prevOfService[next] = prev
    this.unchainFromHost(unit)
    this.downSince[unit] = -1
    this.nextOfService[unit] = this.free
    this.free = unit
    this.count--
  }

  move(unit: number, host: number): void {
    this.unchainFromHost(unit)
    this.chainToHost(unit, host)
    this.downSince[unit] = -1
  }

  private chainToService(unit: number, service: number): void {
    const first = this.firstOfService[service]
    this.nextOfService[unit] = first
    this.prevOfService[unit] = -1
    if (first !== -1) this.prevOfService[first] = unit
    this.firstOfService[service] = unit
  }

  private chainToHost(unit: number, host: number): void {
    const first = this.firstOnHost[host]
    this.host[unit] = host
    this.nextOnHost[unit] = first
    this.prevOnHost[unit] = -1
    if (first !== -1) this.prevOnHost[first] = unit
    this.firstOnHost[host] = unit
  }

  private unchainFromHost(unit: number): void {
    const next = this.nextOnHost[unit]
    const prev = this.prevOnHost[unit]
    if (prev === -1) this.firstOnHost[this.host[unit]] = next
    else this.nextOnHost[prev] = next
    if (next !== -1) this.prevOnHost[next] = prev
  }

  private grow(): void {
    const length = this.host.length * 2
    this.service = lengthened(this.service, length)
    this.host = lengthened(this.host, length)
    this.nextOfService = lengthened(this.nextOfService, length)
    this.prevOfService = lengthened(this.prevOfService, length)
    this.nextOnHost = lengthened(this.nextOnHost, length)
    this.prevOnHost = lengthened(this.prevOnHost, length)
    this.downSince = lengthened(this.downSince, length)
  }
}

function lengthened(column: Int32Array, atLeast: number, fill = 0): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(Math.max(atLeast, column.length * 2)).fill(fill)
  longer.set(column)
  return longer
}
