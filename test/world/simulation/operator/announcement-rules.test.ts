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
import { reviewedTexts } from '../../../fixtures/reviewed-texts.ts'
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

const announcements = reviewedTexts(new URL('./texts/', import.meta.url)).blocks('announcements')

/** All on day 9 and three quarters; the first zone is zone 1, and its host 3 is host 4. */
test.each<[string, (world: World) => void]>([
  ['an order', (world) => announceOrder(world, need, purchase(12.4 * day))],
  ['an order that comes within a day', (world) => announceOrder(world, need, purchase(9.8 * day))],
  ['a technician who was found', (world) => announceOrder(world, need, purchase(30 * day, 'power'))],
  ['a lack of money', (world) => announceRefusal(world, need, 'money', 99.5)],
  ['a lack of room', (world) => announceRefusal(world, need, 'room', 0)],
  ['a lack of power', (world) => announceRefusal(world, need, 'power', 0)],
  ['a delivery', (world) => announceDelivery(world, purchase(0))],
  ['a wrong delivery', (world) => announceMisdelivery(world, purchase(0), 'it is wet', 4)],
  ['an installation', (world) => announceInService(world, purchase(0))],
  ['a replacement', (world) => announceRenewal(world, 3, 'Kestrel R1-96', 899.6)],
  ['a new technician', (world) => announceHire(world, 'Ada L.', 'power')],
  ['a sale of one host to come', (world) => announceSalePlanned(world, sale([12], 12.4 * day))],
  ['a sale of several hosts within a day', (world) => announceSalePlanned(world, sale([12, 13], 9.8 * day))],
  [
    'a sale that was called off',
    (world) => announceSaleCalledOff(world, sale([12, 13]), 'it is in use again'),
  ],
  ['a sale without debt', (world) => announceSold(world, sale([12, 13]), 899.6, 0.99)],
  ['a sale with a debt of a dollar', (world) => announceSold(world, sale([12, 13]), 899.6, 1)],
  ['a sale for as much as was owed', (world) => announceSold(world, sale([12, 13]), 899.6, 900.4)],
  ['a sale at a loss', (world) => announceSold(world, sale([12, 13]), 899.6, 900.5)],
])('%s is announced', (name, announce) => {
  const { world, texts } = createPlanningFixture()
  world.now = 9.75 * day
  announce(world)
  const [event] = world.events.state.window
  const { kind, severity, entity_kind: entity, entity_id: id } = event
  expect([`${kind} ${severity} ${entity} ${id}: ${texts()[0]}`]).toEqual(announcements.get(name))
})
