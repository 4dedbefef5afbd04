import { describe, expect, test } from 'vitest'
import {
  releaseServiceRow,
  createServiceTable,
  takeServiceRow,
} from '../../../../src/world/simulation/tenants/service-table.ts'
import type { UnitTable } from '../../../../src/world/simulation/tenants/unit-table.ts'
import {
  addUnit,
  createUnitTable,
  moveUnit,
  removeUnit,
} from '../../../../src/world/simulation/tenants/unit-table.ts'
import { createTenantsFixture } from './tenants-fixture.ts'

/** Units of a service or on a host, newest first; checks their backward links. */
function listed(first: number, next: Int32Array, prev: Int32Array): number[] {
  const rows: number[] = []
  for (let unit = first; unit !== -1; unit = next[unit]) {
    expect(prev[unit]).toBe(rows.at(-1) ?? -1)
    rows.push(unit)
  }
  return rows
}
const ofService = (units: UnitTable, service: number): number[] =>
  listed(units.firstOfService[service] ?? -1, units.nextOfService, units.prevOfService)
const onHost = (units: UnitTable, host: number): number[] =>
  listed(units.firstOnHost[host], units.nextOnHost, units.prevOnHost)

describe('units', () => {
  const filled = (): UnitTable => {
    const units = createUnitTable(3)
    for (const [service, host] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [0, 0],
    ])
      addUnit(units, service, host)
    return units
  }

  test('are listed by service and by host', () => {
    const units = filled()
    expect([ofService(units, 0), ofService(units, 1), ofService(units, 2)]).toEqual([[3, 1, 0], [2], []])
    expect([onHost(units, 0), onHost(units, 1), onHost(units, 2)]).toEqual([[3, 2, 0], [1], []])
    expect([units.count, units.rowsEnd, [...units.downSince.subarray(0, 4)]]).toEqual([
      4,
      4,
      [-1, -1, -1, -1],
    ])
  })

  test.each([
    [3, [1, 0], [2, 0]],
    [0, [3, 1], [3, 2]],
    [1, [3, 0], [3, 2, 0]],
    [2, [3, 1, 0], [3, 0]],
  ])('without unit %i', (unit, ofFirst, onFirst) => {
    const units = filled()
    units.downSince[unit] = 7
    removeUnit(units, unit)
    expect([ofService(units, 0), onHost(units, 0), units.count, units.firstFree]).toEqual([
      ofFirst,
      onFirst,
      3,
      unit,
    ])
    expect(units.downSince[unit]).toBe(-1)
  })

  test('move between hosts, and serve again', () => {
    const units = filled()
    units.downSince[2] = 7
    moveUnit(units, 2, 2)
    expect([onHost(units, 0), onHost(units, 2), ofService(units, 1), units.downSince[2]]).toEqual([
      [3, 0],
      [2],
      [2],
      -1,
    ])
  })

  test('reuse free rows, the last one first, and the tables grow', () => {
    const units = filled()
    removeUnit(units, 1)
    removeUnit(units, 2)
    for (const service of [1, 1, 1]) addUnit(units, service, 2)
    expect([ofService(units, 1), units.rowsEnd, units.firstFree, units.count]).toEqual([[4, 1, 2], 5, -1, 5])
    for (let unit = 5; unit < 200; unit++) addUnit(units, unit, 1)
    expect([
      units.rowsEnd,
      units.count,
      onHost(units, 1)[0],
      ofService(units, 199),
      ofService(units, 1),
    ]).toEqual([200, 200, 199, [199], [4, 1, 2]])
    for (const column of [units.service, units.host, units.downSince, units.nextOnHost])
      expect(column).toHaveLength(256)
    expect(units.firstOfService[units.firstOfService.length - 1]).toBe(-1)
  })
})

describe('service rows', () => {
  test('are reused with every column at its default, and serials are not', () => {
    const services = createServiceTable()
    expect([takeServiceRow(services), takeServiceRow(services), services.rowsEnd]).toEqual([0, 1, 2])
    services.customer[0] = 9
    services.successRatio[0] = services.diskQuality[0] = services.revenueTotal[0] = 0.5
    services.terms.fill(3)
    services.revenueOfDay.fill(4)
    services.unplacedReason[0] = { code: 'no_gpu' } as never
    releaseServiceRow(services, 0)
    expect([
      services.customer[0],
      services.successRatio[0],
      services.diskQuality[0],
      services.revenueTotal[0],
    ]).toEqual([0, 1, 1, 0])
    expect([
      services.terms[6],
      services.terms[7],
      services.revenueOfDay[29],
      services.revenueOfDay[30],
    ]).toEqual([0, 3, 0, 4])
    expect([services.unplacedReason[0], services.freeRows]).toEqual([null, [0]])
    expect([takeServiceRow(services), services.serial[0], services.serial[1], services.rowsEnd]).toEqual([
      0, 3, 2, 2,
    ])
  })

  test('grow with all columns', () => {
    const services = createServiceTable()
    for (let row = 0; row < 64; row++) takeServiceRow(services)
    services.customer[63] = 5
    expect([services.capacity, services.customer.length]).toEqual([64, 64])
    expect(takeServiceRow(services)).toBe(64)
    expect([
      services.capacity,
      services.customer.length,
      services.terms.length,
      services.revenueOfDay.length,
    ]).toEqual([128, 128, 896, 3_840])
    expect([
      services.customer[63],
      services.serial[64],
      services.successRatio[127],
      services.diskQuality[100],
      services.unplacedReason[64],
    ]).toEqual([5, 65, 1, 1, null])
    expect([services.successRatio instanceof Float64Array, services.customer instanceof Int32Array]).toEqual([
      true,
      true,
    ])
  })
})

describe('random streams', () => {
  test('of customers and services are their own, until they are forgotten', () => {
    const { context, world, addCustomer, addService } = createTenantsFixture()
    const account = addCustomer()
    const row = addService(account, {})
    const { noise } = context
    expect(noise.ofAccount(account)).toBe(noise.ofAccount({ id: account.id }))
    expect(noise.ofAccount(account)).not.toBe(noise.ofAccount({ id: 2 }))
    expect(noise.ofService(row)).toBe(noise.ofService(row))
    expect([...world.random.state.keys()].filter((name) => name.startsWith('customers.'))).toEqual([
      'customers.noise.1',
      'customers.noise.2',
      'customers.noise.1.web',
    ])
    const before = noise.ofService(row)
    noise.forget(account)
    expect([...world.random.state.keys()].filter((name) => name.startsWith('customers.'))).toEqual([
      'customers.noise.2',
    ])
    expect(noise.ofService(row)).not.toBe(before)
  })
})
