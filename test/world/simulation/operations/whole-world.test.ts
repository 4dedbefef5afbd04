import { expect, test } from 'vitest'
import { DiagnosticsSchema } from '../../../../src/contract/records/diagnostics.ts'
import { QuestSchema, WorkOrderSchema } from '../../../../src/contract/records/operations.ts'
import { day, hour, stepLength } from '../../../../src/world/simulation/time.ts'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import { sweepSeeds } from '../../../fixtures/seeds.ts'
import { recordViolations } from '../../records/record-violations.ts'

/** Hourly snapshots of a small world over three simulated days. */
function* snapshots(seed: bigint) {
  const world = createSimulation({ seed, scale: 'small', warmUp: 0, scenario: null, speed: 60 })
  for (let at = 0; at < 3 * day; at += stepLength) {
    world.step()
    if (at % hour === 0) yield { world, ...world.snapshot() }
  }
}

test.each(sweepSeeds(1, 1, 3))('work orders, quests and diagnostics hold together (seed %s)', (seed) => {
  let highest = 0
  const incidents = new Set<unknown>()
  for (const { world, simTimeNs, collections, diagnostics } of snapshots(seed)) {
    const { workOrders, quests } = collections
    for (const { id } of [...collections.incidents, ...collections.resolvedIncidents]) incidents.add(id)
    const staff = world.state.operations.staffCount
    let before = 0
    for (const order of workOrders) {
      expect(Number(order.id)).toBeGreaterThan(before)
      before = Number(order.id)
      expect(order.incident_id === null || incidents.has(order.incident_id)).toBe(true)
      expect(Number(order.actor_staff_id)).toBeLessThanOrEqual(staff)
      expect(order.actor === 'Automation' && order.actor_staff_id !== null).toBe(false)
      expect(order.resolved_at_ns !== null && order.blocking !== null).toBe(false)
      let at = 0n
      order.steps.forEach((step, index) => {
        expect(step.completed_at_ns !== null).toBe(index < order.current_step)
        for (const moment of [step.started_at_ns, step.completed_at_ns]) {
          if (moment === null) continue
          expect(BigInt(moment)).toBeGreaterThanOrEqual(at)
          at = BigInt(moment)
        }
      })
      expect(at).toBeLessThanOrEqual(simTimeNs)
      expect(order.resolved_at_ns === null).toBe(order.current_step < order.steps.length)
    }
    expect(before).toBeGreaterThanOrEqual(highest)
    highest = Math.max(highest, before)
    expect([
      ...workOrders.flatMap((order) => recordViolations(WorkOrderSchema, order)),
      ...quests.flatMap((quest) => recordViolations(QuestSchema, quest)),
      ...recordViolations(DiagnosticsSchema, diagnostics),
    ]).toEqual([])
    const left = quests.filter(({ state }) => state !== 'Done')
    expect(quests.filter(({ state }) => state === 'Next')).toEqual(left.slice(0, 1))
    expect(diagnostics.counts).toMatchObject({
      hosts: collections.hosts.length,
      customers: collections.customers.length,
      incidents_active: collections.incidents.length,
      work_orders: workOrders.length,
      work_orders_open: workOrders.filter(({ resolved_at_ns }) => resolved_at_ns === null).length,
    })
  }
  expect(highest).toBeGreaterThan(5)
})
