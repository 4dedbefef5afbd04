import type { CauseKind } from '../../../../contract/vocabularies.ts'
import type { HazardWorld } from '../../state.ts'
import { day, stepLength } from '../../time.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import type { Topology } from '../../topology/tables.ts'
import { isPlugged } from '../../topology/tables.ts'
import type { FaultKind } from '../fault-kind.ts'
import type { Fault, FaultSpec } from '../model.ts'
import type { PendingFault } from './aftereffects.ts'
import { drawAftereffects, isBroken, pendingMax } from './aftereffects.ts'
import type { WeakBatch } from './batches.ts'
import { updateWeakBatches } from './batches.ts'
import type { FirmwareCampaign } from './firmware-campaign.ts'
import { planCampaign } from './firmware-campaign.ts'
import type { FinishedWork } from './mishaps.ts'
import { drawMishap } from './mishaps.ts'
import type { RepairTimes } from './repaired.ts'
import { markRepaired } from './repaired.ts'

/** Faults that follow from faults and from work, and the common causes of failures. */
interface Consequences {
  /** Begins pending faults; once a day, draws weak batches and plans firmware campaigns. */
  step(): void
  /** Draws the aftereffects of a random fault. */
  drawFrom(fault: Fault): void
  /** Records a repair, and draws whether it leaves another fault behind. */
  followRepair(fault: Fault): void
  /** Records upkeep, and draws whether it leaves a fault behind. */
  followUpkeep(target: FaultTarget): void
}

interface ConsequencesState {
  readonly randomFaultRate: number
  readonly active: readonly Fault[]
  readonly weakBatches: WeakBatch[]
  readonly campaign: FirmwareCampaign
  readonly pending: PendingFault[]
  readonly repaired: RepairTimes
}

const stepsPerDay = day / stepLength

export function createConsequences(
  world: HazardWorld,
  kinds: Readonly<Record<CauseKind, Pick<FaultKind, 'aftereffects'>>>,
  state: ConsequencesState,
  begin: (spec: FaultSpec) => Fault,
): Consequences {
  const { random } = world
  const { pending } = state
  const aftereffects = random.stream('faults.aftereffects')
  const mishaps = random.stream('faults.mishaps')
  const batches = random.stream('faults.batches')
  const campaigns = random.stream('faults.campaigns')
  const expect = (fault: PendingFault): void => {
    if (pending.length < pendingMax) pending.push(fault)
  }
  const expectMishap = (work: FinishedWork, target: FaultTarget): void => {
    const mishap = drawMishap(world, work, target, state.randomFaultRate, mishaps)
    if (mishap !== null) expect(mishap)
  }
  return {
    step() {
      if (world.tick % stepsPerDay === 0) {
        updateWeakBatches(world, state.weakBatches, batches, state.randomFaultRate)
        planCampaign(world, state.campaign, campaigns)
      }
      for (let i = pending.length - 1; i >= 0; i--) {
        if (pending[i].at > world.now) continue
        const [{ spec, whileActive }] = pending.splice(i, 1)
        if (!isInPlace(world.topology, spec.target) || isBroken(state.active, spec, whileActive)) continue
        if (whileActive === null || state.active.some(({ id }) => id === whileActive)) begin(spec)
      }
    },
    drawFrom(fault) {
      const rules = kinds[fault.kind].aftereffects
      if (rules === undefined) return
      drawAftereffects(world, rules, fault, state.randomFaultRate, aftereffects).forEach(expect)
    },
    followRepair(fault) {
      markRepaired(state.repaired, fault, world.now)
      expectMishap('repair', fault.target)
    },
    followUpkeep: (target) => expectMishap('upkeep', target),
  }
}

/** Whether the target of a pending fault is still in place. */
function isInPlace(topology: Topology, target: FaultTarget): boolean {
  if (target.kind === 'Host') return topology.hosts.rows.includes(target.row)
  if (target.kind === 'Cable') return isPlugged(topology, target.row)
  return target.kind !== 'Port' || topology.ports.cable[target.row] !== -1
}
