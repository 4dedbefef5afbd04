import { expect, test } from 'vitest'
import {
  announceDelivery,
  announceHire,
  announceInService,
  announceMisdelivery,
  announceOrder,
  announceRefusal,
  announceRenewal,
  announceSaleCalledOff,
  announceSalePlanned,
  announceSold,
} from '../../../../src/world/simulation/operator/announcements.ts'
import type { Purchase, Requirement, Sale } from '../../../../src/world/simulation/operator/model.ts'
import { day } from '../../../../src/world/simulation/time.ts'
import { createPlanningFixture } from './planning-fixture.ts'

type World = ReturnType<typeof createPlanningFixture>['world']

const need: Requirement = {
  what: 'a rack',
  because: 'it is needed',
  entity: { kind: 'Pool', id: 2 },
  zone: 1,
  works: [],
  dollars: 899.6,
  lead: 'Rack',
}

const purchase = (due: number, hires: Purchase['hires'] = null): Purchase => ({
  id: 1,
  what: 'a rack',
  zone: 1,
  works: [],
  hires,
  region: null,
  dollars: 899.6,
  instalment: 0,
  ordered: 2 * day,
  due,
  isExchanged: false,
  resaleDollars: 0,
  workOrder: null,
})

const sale = (hosts: number[], due = 0): Sale => ({
  pool: 0,
  zone: 1,
  hosts,
  because: 'empty',
  due,
  workOrder: null,
})

/** All on day 9 and three quarters; the first zone is zone 1, and its host 3 is host 4. */
test.each<[string, (world: World) => void, string]>([
  [
    'an order',
    (world) => announceOrder(world, need, purchase(12.4 * day)),
    'CapacityOrdered Info Pool 2: Ordered a rack for $900, delivery in 3 days: it is needed.',
  ],
  [
    'an order that comes within a day',
    (world) => announceOrder(world, need, purchase(9.8 * day)),
    'CapacityOrdered Info Pool 2: Ordered a rack for $900, delivery in 1 day: it is needed.',
  ],
  [
    'a technician who was found',
    (world) => announceOrder(world, need, purchase(30 * day, 'power')),
    'CapacityOrdered Info Pool 2: Hired a rack for $900, to start in 20 days: it is needed.',
  ],
  [
    'a lack of money',
    (world) => announceRefusal(world, need, 'money', 99.5),
    'CapacityRefused Warning Pool 2: Cannot afford a rack: $900 needed, $100 available. It is needed because it is needed.',
  ],
  [
    'a lack of room',
    (world) => announceRefusal(world, need, 'room', 0),
    'CapacityRefused Warning Pool 2: No room for a rack. It is needed because it is needed.',
  ],
  [
    'a lack of power',
    (world) => announceRefusal(world, need, 'power', 0),
    'CapacityRefused Warning Pool 2: No power for a rack: the grid connection is at its limit. It is needed because it is needed.',
  ],
  [
    'a delivery',
    (world) => announceDelivery(world, purchase(0)),
    'CapacityDelivered Info Zone 2: Delivered after 8 days: a rack.',
  ],
  [
    'a wrong delivery',
    (world) => announceMisdelivery(world, purchase(0), 'it is wet', 4),
    'CapacityDelivered Warning Zone 2: The delivery of a rack goes back: it is wet. Another one is due in 4 days.',
  ],
  [
    'an installation',
    (world) => announceInService(world, purchase(0)),
    'CapacityAdded Info Zone 2: In service 8 days after the order: a rack.',
  ],
  [
    'a replacement',
    (world) => announceRenewal(world, 3, 'Kestrel R1-96', 899.6),
    'HardwareRenewed Info Host 4: Replaced the old whm-a-b01-u06 with a Kestrel R1-96, and sold the old one for $900.',
  ],
  [
    'a new technician',
    (world) => announceHire(world, 'Ada L.', 'power'),
    'StaffHired Info World null: Ada L. starts as a technician for power.',
  ],
  [
    'a sale of one host to come',
    (world) => announceSalePlanned(world, sale([12], 12.4 * day)),
    'SalePlanned Info Zone 2: Plans to sell whm-b-b01-u01 of Westholm B in 3 days: empty.',
  ],
  [
    'a sale of several hosts within a day',
    (world) => announceSalePlanned(world, sale([12, 13], 9.8 * day)),
    'SalePlanned Info Zone 2: Plans to sell 2 hosts of Westholm B in 1 day: empty.',
  ],
  [
    'a sale that was called off',
    (world) => announceSaleCalledOff(world, sale([12, 13]), 'it is in use again'),
    'SaleCalledOff Info Zone 2: Keeps 2 hosts of Westholm B, which was to be sold: it is in use again.',
  ],
  [
    'a sale without debt',
    (world) => announceSold(world, sale([12, 13]), 899.6, 0.99),
    'HardwareSold Info Zone 2: Sold 2 hosts of Westholm B for $900: empty.',
  ],
  [
    'a sale with a debt of a dollar',
    (world) => announceSold(world, sale([12, 13]), 899.6, 1),
    'HardwareSold Info Zone 2: Sold 2 hosts of Westholm B for $900, of which $1 was still owed: empty.',
  ],
  [
    'a sale for as much as was owed',
    (world) => announceSold(world, sale([12, 13]), 899.6, 900.4),
    'HardwareSold Info Zone 2: Sold 2 hosts of Westholm B for $900, of which $900 was still owed: empty.',
  ],
  [
    'a sale at a loss',
    (world) => announceSold(world, sale([12, 13]), 899.6, 900.5),
    'HardwareSold Info Zone 2: Sold 2 hosts of Westholm B for $900, at a loss of $1 against what was still owed: empty.',
  ],
])('%s is announced', (_, announce, expected) => {
  const { world, texts } = createPlanningFixture()
  world.now = 9.75 * day
  announce(world)
  const [event] = world.events.state.window
  const { kind, severity, entity_kind: entity, entity_id: id } = event
  expect(`${kind} ${severity} ${entity} ${id}: ${texts()[0]}`).toBe(expected)
})
