import { isDue, schedule } from '../schedule.ts'
import type { OperatorContext } from './context.ts'
import { stepChapters } from './chapters/chapters.ts'
import { stepInstallations } from './installation.ts'
import type { OperatorState } from './model.ts'
import { createOperatorState } from './model.ts'
import { recordPeaks, recordPoolUse } from './observation.ts'
import { planFacility } from './plans/facility.ts'
import { planHosts } from './plans/hosts.ts'
import { planNetwork } from './plans/network.ts'
import { stepSales } from './sales.ts'
import { planRenewal } from './plans/renewal.ts'
import { observeQueue, planStaff } from './plans/staff.ts'
import { observeEmptyHosts, planSurplus } from './plans/surplus.ts'
import { countEarnings, openingReserves } from './treasury.ts'

/**
 * The automation that operates the site: it forecasts shortages, orders capacity in time, has it installed, replaces
 * old equipment, and hires. Events and work orders report its actions, and the reasons for not taking one.
 */
export interface Operator {
  readonly state: OperatorState
  step(): void
}

export function createOperator(inputs: Omit<OperatorContext, 'state' | 'deliveries' | 'chance'>): Operator {
  const { world, capacity } = inputs
  const state = createOperatorState(world.topology, openingReserves(world.topology.hosts.rows.length))
  const deliveries = world.random.stream('operator.deliveries')
  const chance = world.random.stream('operator.chapters')
  const context: OperatorContext = { ...inputs, state, deliveries, chance }
  return {
    state,
    step() {
      const { tick } = world
      if (isDue(schedule.installations, tick)) stepInstallations(context)
      stepSales(context)
      if (!isDue(schedule.operatorBooks, tick)) return
      countEarnings(state, world)
      recordPeaks(state, world)
      observeQueue(context)
      observeEmptyHosts(context)
      if (isDue(schedule.chapters, tick)) stepChapters(context)
      if (isDue(schedule.hostPlan, tick)) {
        recordPoolUse(state, capacity)
        planHosts(context)
        planSurplus(context)
      }
      if (isDue(schedule.networkPlan, tick)) planNetwork(context)
      if (isDue(schedule.facilityPlan, tick)) planFacility(context)
      if (isDue(schedule.renewalPlan, tick)) planRenewal(context)
      if (isDue(schedule.staffPlan, tick)) planStaff(context)
    },
  }
}
