import type { CauseKind } from '../../../contract/vocabularies.ts'
import { areCutTogether } from '../incidents/correlation/path.ts'
import type { BlastRadius } from '../incidents/correlation/blast-radius.ts'
import { isDue, schedule, stepsPerHour } from '../schedule.ts'
import type { WorldView } from '../state.ts'
import type { CustomerDefect } from '../tenants/tenant.ts'
import type { Micros } from '../time.ts'
import { minute } from '../time.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import { applyEffects } from './effects.ts'
import type { FaultKind, FaultSource } from './fault-kind.ts'
import type { Fault, FaultControl, Faults, FaultSpec } from './model.ts'
import { rowOf, sameTarget } from '../topology/entities.ts'
import type { PendingFault } from './hazards/aftereffects.ts'
import type { WeakBatch } from './hazards/batches.ts'
import { createConsequences } from './hazards/consequences.ts'
import type { FirmwareCampaign } from './hazards/firmware-campaign.ts'
import { firstCampaign } from './hazards/firmware-campaign.ts'
import { activityFactor } from './hazards/hazards.ts'
import { createRandomFaults, firstCandidate } from './hazards/random-faults.ts'
import type { CandidateState } from './hazards/random-faults.ts'
import { phaseLength } from './hazards/rhythm.ts'
import { createMaintenance } from './maintenance.ts'
import type { ShapingState } from './shaping.ts'
import { createShaping } from './shaping.ts'
import type { ShortagePorts, ShortagesState } from './shortages.ts'
import { createShortages } from './shortages.ts'
import type { RepairTimes } from './hazards/repaired.ts'
import { renewDisks, renewPart, addHourlyWear } from './hazards/wear.ts'

/** Bound of the retained ended faults: an inspection may still find them, and tests examine them. */
const endedMax = 2_000

interface FaultsState extends CandidateState {
  lastId: number
  /** Factor on the rate of all random faults. */
  randomFaultRate: number
  readonly active: Fault[]
  readonly ended: Fault[]
  /** Active faults that change the demand of a customer, or fail its requests. */
  readonly customerFaults: Fault[]
  customerVersion: number
  readonly shaping: ShapingState
  readonly shortages: ShortagesState
  readonly weakBatches: WeakBatch[]
  readonly campaign: FirmwareCampaign
  /** Consequences of other faults, or of failed work, that have yet to begin. */
  readonly pending: PendingFault[]
  readonly repaired: RepairTimes
}

export interface FaultsPart extends Faults, FaultControl {
  randomFaultRate: number
  readonly state: FaultsState
  step(): void
  /** The fault of a shortage at a target, recognized now if necessary; null without a shortage there. */
  claimShortage(target: FaultTarget): Fault | null
}

const createFaultsState = ({ random }: WorldView): FaultsState => ({
  lastId: 0,
  randomFaultRate: 1,
  active: [],
  ended: [],
  customerFaults: [],
  customerVersion: 0,
  shaping: new Map(),
  shortages: new Map(),
  weakBatches: [],
  campaign: firstCampaign(random.stream('faults.campaigns')),
  pending: [],
  repaired: new Map(),
  ...firstCandidate({ random }),
})

/** Begins and ends faults: at random, by users and attackers, by lack of capacity, and by command. */
export function createFaults(
  world: WorldView,
  kinds: Readonly<Record<CauseKind, FaultKind>>,
  blastRadius: BlastRadius,
  replaceDevice: (target: FaultTarget) => void,
): FaultsPart {
  const state = createFaultsState(world)
  const { active, ended, customerFaults } = state
  const { begin, end } = createTransitions(world, kinds, state)
  const drawRandomFaults = createRandomFaults(world, kinds, state)
  const consequences = createConsequences(world, kinds, state, begin)
  const sources = externalSources(world, kinds)
  const renew = (target: FaultTarget): void => {
    renewPart(world, target)
    replaceDevice(target)
  }
  const shaping = createShaping(world, blastRadius, state.shaping)
  const maintenance = createMaintenance(world)
  const shortages = createShortages(world, kinds, state.shortages, { active, begin, end })
  return {
    state,
    active,
    ended,
    get randomFaultRate() {
      return state.randomFaultRate
    },
    set randomFaultRate(rate) {
      state.randomFaultRate = rate
    },
    get customerVersion() {
      return state.customerVersion
    },
    get isShapingDemand() {
      return customerFaults.length > 0 || state.shaping.size > 0
    },
    demandFactor: (customerId) =>
      surgeFactor(kinds, customerFaults, customerId, world.now) * shaping.factor(customerId),
    defectShare: (customerId, defect) => combinedDefect(kinds, customerFaults, customerId, defect),
    step() {
      endDue(active, world.now, end)
      stepIntermittentFaults(world, kinds, active)
      wearHosts(world)
      consequences.step()
      const partsRate = state.randomFaultRate * activityFactor(world.now)
      for (const spec of drawRandomFaults(partsRate)) consequences.drawFrom(begin(spec))
      for (const spec of specsFrom(sources, state.randomFaultRate)) begin(spec)
      if (isDue(schedule.capacityFaults, world.tick)) shortages.step()
    },
    claimShortage: shortages.claim,
    isMendedWith: (fault, other) => isMendedWith(world, kinds, fault, other),
    inject: begin,
    repair(fault) {
      const { origin, repairRenews } = kinds[fault.kind]
      if (fault.ended !== null) return
      if (fault.kind === 'HostDrained') maintenance.endCampaigns(rowOf(fault.target))
      // Less demand may not suffice: other shortages end only when they are no longer found.
      else if (origin.type === 'shortage') return shaping.reduceDemand(fault.target)
      if (repairRenews === 'device') renew(fault.target)
      if (repairRenews === 'disks') renewDisks(world, fault.target)
      for (const mended of active.filter((other) => isMendedWith(world, kinds, fault, other))) end(mended)
      consequences.followRepair(fault)
    },
    renew(target) {
      renew(target)
      hiddenAt(kinds, active, target).forEach(end)
      consequences.followUpkeep(target)
    },
    ...maintenance,
  }
}

const externalSources = (
  world: WorldView,
  kinds: Readonly<Record<CauseKind, FaultKind>>,
): readonly FaultSource[] =>
  Object.values(kinds).flatMap(({ origin }) =>
    origin.type === 'external' ? [origin.createSource(world)] : [],
  )

function* specsFrom(sources: readonly FaultSource[], rate: number): Iterable<FaultSpec> {
  for (const source of sources) {
    const spec = source(rate)
    if (spec !== null) yield spec
  }
}

/** Latent faults at a target, ended by its upkeep. */
const hiddenAt = (
  kinds: Readonly<Record<CauseKind, FaultKind>>,
  active: readonly Fault[],
  target: FaultTarget,
): Fault[] =>
  active.filter(
    (fault) => sameTarget(fault.target, target) && (kinds[fault.kind].upkeepEnds?.(fault) ?? false),
  )

/**
 * Whether the repair of one fault also repairs another: the replacement of a device ends all its faults of such kinds, what
 * is done about a customer all of one kind, and the crew that digs up a duct splices all its lines.
 */
function isMendedWith(
  world: WorldView,
  kinds: Readonly<Record<CauseKind, FaultKind>>,
  fault: Fault,
  other: Fault,
): boolean {
  if (other === fault || other.kind !== fault.kind) return other === fault
  if (!sameTarget(other.target, fault.target)) return areCutTogether(world, other.target, fault.target)
  if (fault.target.kind === 'Customer') return other.attack?.class === fault.attack?.class
  return kinds[fault.kind].repairRenews === 'device'
}

/** Combined factor of the active faults on a customer's demand. */
function surgeFactor(
  kinds: Readonly<Record<CauseKind, FaultKind>>,
  customerFaults: readonly Fault[],
  customerId: number,
  now: Micros,
): number {
  let factor = 1
  for (const fault of customerFaults)
    if (rowOf(fault.target) === customerId) factor *= kinds[fault.kind].demandFactor?.(fault, now) ?? 1
  return factor
}

/** Combined share of a customer's requests that fail by a defect. */
const combinedDefect = (
  kinds: Readonly<Record<CauseKind, FaultKind>>,
  customerFaults: readonly Fault[],
  customerId: number,
  defect: CustomerDefect,
): number =>
  1 -
  customerFaults
    .filter(({ kind, target }) => kinds[kind].customerDefect === defect && rowOf(target) === customerId)
    .reduce((left, { magnitude }) => left * (1 - magnitude), 1)

/** The transitions of a fault's life cycle, with their effects on the world. */
function createTransitions(
  world: WorldView,
  kinds: Readonly<Record<CauseKind, FaultKind>>,
  state: FaultsState,
): Pick<ShortagePorts, 'begin' | 'end'> {
  const { active, ended, customerFaults } = state
  return {
    begin(spec) {
      const lasts = endsByItself(world, kinds[spec.kind], spec) ? spec.lasts : null
      const fault = faultOf(++state.lastId, { ...spec, lasts }, world.now)
      active.push(fault)
      applyEffects(kinds, world.condition, fault.target, active)
      const { demandFactor, customerDefect } = kinds[fault.kind]
      if (demandFactor === undefined && customerDefect === undefined) return fault
      customerFaults.push(fault)
      state.customerVersion++
      return fault
    },
    end(fault) {
      if (fault.ended !== null) return
      fault.ended = world.now
      active.splice(active.indexOf(fault), 1)
      applyEffects(kinds, world.condition, fault.target, active)
      if (customerFaults.includes(fault)) {
        customerFaults.splice(customerFaults.indexOf(fault), 1)
        state.customerVersion++
      }
      ended.push(fault)
      if (ended.length > endedMax) ended.shift()
    },
  }
}

/** Where a team repairs, what breaks stays broken until it does: only demand ends at its time after the handover. */
const endsByItself = (
  { now, handover }: WorldView,
  { action, customerDefect }: FaultKind,
  { lasts }: FaultSpec,
): boolean =>
  handover === null ||
  now + (lasts ?? 0) <= handover ||
  (customerDefect === undefined && action?.duration === 'required')

/** Ends the faults whose time has come. */
function endDue(active: readonly Fault[], now: Micros, end: (fault: Fault) => void): void {
  const dueFault = (): Fault | undefined => active.find(({ endsBy }) => endsBy !== null && endsBy <= now)
  for (let due = dueFault(); due !== undefined; due = dueFault()) end(due)
}

/** Switches the intermittent faults at the end of a phase to the next one. */
function stepIntermittentFaults(
  { now, condition, random }: WorldView,
  kinds: Readonly<Record<CauseKind, FaultKind>>,
  active: readonly Fault[],
): void {
  for (const fault of active) {
    if (fault.rhythm === null || fault.turnsAt === null || fault.turnsAt > now) continue
    fault.isDormant = !fault.isDormant
    const length = phaseLength(fault.rhythm, fault.isDormant, random.stream('faults.rhythm').fraction())
    fault.turnsAt = now + length
    applyEffects(kinds, condition, fault.target, active)
  }
}

/** Once an hour per host: wears its SSDs. Each step handles a share of the hosts. */
function wearHosts(world: WorldView): void {
  for (let host = world.tick % stepsPerHour; host < world.topology.hosts.count; host += stepsPerHour) {
    addHourlyWear(world, host)
  }
}

/** A position that differs from one moment to the next; simultaneous faults share it. */
const placeAt = (now: Micros): number => ((now / minute) * goldenRatio) % 1
const goldenRatio = 0.618_033_988_7

function faultOf(id: number, spec: FaultSpec, now: Micros): Fault {
  const { kind, target, magnitude, lasts, attackClass, rhythm = null } = spec
  const isAttack = attackClass !== undefined && target.kind === 'Customer'
  return {
    id,
    kind,
    target,
    began: spec.began ?? now,
    endsBy: lasts === null ? null : now + lasts,
    ended: null,
    magnitude,
    place: spec.place ?? placeAt(now),
    attack: isAttack ? { class: attackClass, customerId: target.id } : null,
    rhythm,
    isDormant: false,
    turnsAt: rhythm === null ? null : now + rhythm.shows,
    incidentId: null,
  }
}
