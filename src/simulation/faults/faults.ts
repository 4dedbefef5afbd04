import type { RootKind } from '../../contract/vocabularies.ts'
import type { Fault, FaultDesk, FaultOrder, FaultTarget, Faults, Tenant, WorldState } from '../state.ts'
import { type Micros, minute, stepLength } from '../time.ts'
import { createAttackers } from './attacks.ts'
import { createDomains, type Domains } from './domain.ts'
import { createEmergent, isEmergent } from './emergent.ts'
import { settleMarks } from './marks.ts'
import { createSpontaneous } from './spontaneous.ts'
import { createSurges, type Surges } from './surges.ts'
import { renewDisks, renewPart } from './wear.ts'

/** Faults that have ended and are kept, so that tests can look back. */
const endedMax = 2_000
/** Customers whose demand is held down when a shortage is dealt with. */
const shapedCustomers = 3
const stepsAMinute = minute / stepLength
/** Of the steps of a minute, the one in which shortages are looked for: the first has enough to do with demand. */
const shortagesTick = 2

/** What incidents do for the desk that work calls. */
export interface IncidentDesk {
  diagnose: FaultDesk['diagnose']
  noteWork: FaultDesk['noteWork']
}

export interface FaultsPart extends Faults, FaultDesk {
  readonly domains: Domains
  step(): void
  /** The fault behind a shortage of capacity at a target; null where there is none. */
  claimShortage(target: FaultTarget): Fault | null
  /** Incidents report here once they exist. */
  connect(desk: IncidentDesk): void
}

export function createFaults(state: WorldState): FaultsPart {
  const active: Fault[] = []
  const ended: Fault[] = []
  let lastId = 0
  let desk: IncidentDesk | null = null
  const domains = createDomains(state)
  const spontaneous = createSpontaneous(state)
  const attackers = createAttackers(state)
  const surges = createSurges(state)
  const emergent = createEmergent(state)

  const begin = (order: FaultOrder): Fault => {
    const fault = faultOf(++lastId, order, state.now)
    active.push(fault)
    settleMarks(state.condition, fault.target, active)
    if (fault.kind === 'DemandSurge') surges.begin(fault)
    return fault
  }
  const end = (fault: Fault): void => {
    if (fault.ended !== null) return
    fault.ended = state.now
    active.splice(active.indexOf(fault), 1)
    settleMarks(state.condition, fault.target, active)
    if (fault.kind === 'DemandSurge') surges.end(fault)
    ended.push(fault)
    if (ended.length > endedMax) ended.shift()
  }
  const part: FaultsPart = {
    active,
    ended,
    domains,
    spontaneity: 1,
    demandFactor: (customerId) => surges.factor(customerId),
    step() {
      for (let due = dueOf(active, state.now); due !== undefined; due = dueOf(active, state.now)) end(due)
      for (const order of spontaneous.step(part.spontaneity)) begin(order)
      const attack = attackers.step(part.spontaneity)
      if (attack !== null) begin(attack)
      const surge = surges.step(part.spontaneity)
      if (surge !== null) begin(surge)
      if (state.tick % stepsAMinute === shortagesTick) emergent.step(active, begin, end)
    },
    claimShortage: (target) => emergent.claim(target, begin),
    connect(given) {
      desk = given
    },
    inject: begin,
    diagnose: (...asked) => desk?.diagnose(...asked) ?? null,
    noteWork: (...note) => desk?.noteWork(...note),
    repair(fault) {
      if (fault.ended !== null) return
      if (isEmergent(fault.kind)) {
        // Whether that is enough shows by itself: a shortage ends when nothing is short any more.
        holdDemandDown(state, domains, surges, fault.target)
        return
      }
      if (replacing.has(fault.kind)) renewPart(state, fault.target)
      if (fault.kind === 'DiskFailure') renewDisks(state, fault.target)
      end(fault)
    },
    renew: (target) => renewPart(state, target),
    maintain(host, out) {
      const { hostMaintenance } = state.condition
      hostMaintenance[host] = Math.max(0, hostMaintenance[host] + (out ? 1 : -1))
      state.condition.version++
    },
  }
  return part
}

/** A fault that ends by itself now or should have; undefined where none does. */
const dueOf = (active: readonly Fault[], now: Micros): Fault | undefined =>
  active.find(({ endsBy }) => endsBy !== null && endsBy <= now)

function faultOf(id: number, order: FaultOrder, now: number): Fault {
  const { kind, target, magnitude, lasts, attackClass } = order
  const isAttack = attackClass !== undefined && target.kind === 'Customer'
  return {
    id,
    kind,
    target,
    began: now,
    endsBy: lasts === null ? null : now + lasts,
    ended: null,
    magnitude,
    attack: isAttack ? { class: attackClass, customerId: target.id } : null,
    incidentId: null,
  }
}

/** Kinds of which the repair puts a new device in the place of what broke. */
const replacing: ReadonlySet<RootKind> = new Set<RootKind>([
  'SwitchFailure',
  'GatewayFailure',
  'ApplianceFailure',
  'CoolingFailure',
])

/** A shortage is dealt with by holding back who lacks room itself, then who asks for most, cheap plans first. */
function holdDemandDown(state: WorldState, domains: Domains, surges: Surges, target: FaultTarget): void {
  const hosts = new Set(Array.from(domains.hostsOf(target)))
  const rank = { Bronze: 1, Silver: 1.5, Gold: 4, Platinum: 8 } as const
  state.tenants.active
    .filter((tenant) => tenant.hosts.some((host) => hosts.has(host)))
    .map((tenant) => ({
      id: tenant.id,
      greed: greedOf(tenant) / rank[tenant.tier],
    }))
    .toSorted((a, b) => b.greed - a.greed || a.id - b.id)
    .slice(0, shapedCustomers)
    .forEach(({ id }) => surges.shape(id))
}

const greedOf = (tenant: Tenant): number =>
  tenant.servedInGbps +
  tenant.servedOutGbps +
  0.001 * tenant.placedUnits +
  (tenant.requestedUnits > tenant.placedUnits ? lackingRoom : 0)

/** Outweighs any traffic. */
const lackingRoom = 1e6
