import type { RandomStream } from '../random.ts'
import type { Micros } from '../time.ts'
import { hour, minute, week } from '../time.ts'
import type { Topology } from '../topology/tables.ts'
import type { Technician } from './technicians.ts'
import {
  createTechnician,
  hasSkill,
  hireStaff,
  isOnShift,
  nextShiftChange,
  standbyWageShare,
} from './technicians.ts'
import type { Skill } from '../work/plans.ts'

/** Number of parallel tasks of the automation. */
const automationSlotsFor = (hosts: number): number => 3 + Math.floor(hosts / 60)

/** Time to arrival of a called-out technician, or to the connection from home. */
const callOutMinutes: readonly [min: number, max: number] = [15, 30]
const remoteCallOutMinutes: readonly [min: number, max: number] = [5, 12]
const callOutStay: Micros = 5 * hour
const callOutRest: Micros = 7 * hour

const minutesInsideZone = 6
const minutesToOtherZone = 24
/** Preference for technicians with the skill as their first one, as travel time. */
const secondSkillPenaltyMinutes = 2

interface RosterState {
  readonly staff: Technician[]
  automationSlotsFree: number
}

/** Technicians in shifts, and the automation. */
export class Roster {
  readonly state: RosterState
  readonly #topology: Topology
  readonly #random: RandomStream

  constructor(topology: Topology, random: RandomStream) {
    this.#topology = topology
    this.#random = random
    this.state = {
      staff: hireStaff(topology, random),
      automationSlotsFree: automationSlotsFor(topology.hosts.rows.length),
    }
  }

  get staff(): readonly Technician[] {
    return this.state.staff
  }

  technician(id: number): Technician {
    return this.state.staff[id - 1]
  }

  /** Number of technicians on shift or finishing their work after the end of their shift. */
  onShift(now: Micros): number {
    return this.staff.filter((technician) => isOnShift(technician, now) || technician.order !== 0).length
  }

  /** Standby wages of all technicians on shift, in dollars per hour. */
  standbyPerHour(now: Micros): number {
    let dollars = 0
    for (const technician of this.staff) if (isOnShift(technician, now)) dollars += technician.wage
    return dollars * standbyWageShare(this.#topology.hosts.rows.length)
  }

  /** Cost of working technicians beyond standby, in dollars per hour. */
  activePerHour(): number {
    let dollars = 0
    for (const { order, wage } of this.staff) if (order !== 0) dollars += wage
    return dollars * (1 - standbyWageShare(this.#topology.hosts.rows.length))
  }

  isStaffed(skill: Skill | 'any', zone: number, now: Micros): boolean {
    return this.staff.some(
      (technician) => this.#isEligible(technician, skill, zone) && isOnShift(technician, now),
    )
  }

  /** When someone with a skill comes on shift next; Infinity if no one does within a week. */
  staffedAt(skill: Skill | 'any', zone: number, now: Micros): Micros {
    for (let at = nextShiftChange(now); at < now + week; at = nextShiftChange(at))
      if (this.isStaffed(skill, zone, at)) return at
    return Infinity
  }

  /** The technicians on shift who have an order. */
  atWork(skill: Skill | 'any', zone: number, now: Micros): Technician[] {
    return this.staff.filter(
      (technician) =>
        technician.order !== 0 && this.#isEligible(technician, skill, zone) && isOnShift(technician, now),
    )
  }

  /** The closest idle technician on shift. */
  findFree(skill: Skill | 'any', zone: number, now: Micros): Technician | null {
    let best: Technician | null = null
    let bestCost = Infinity
    for (const technician of this.staff) {
      if (technician.order !== 0 || !this.#isEligible(technician, skill, zone)) continue
      if (!isOnShift(technician, now)) continue
      const penalty = technician.skill === skill ? 0 : secondSkillPenaltyMinutes
      const cost = this.#minutesTo(technician, zone) + penalty
      if (cost < bestCost) {
        best = technician
        bestCost = cost
      }
    }
    return best
  }

  /** A rested technician off shift, preferably with the skill as the first one. */
  findAtHome(skill: Skill, zone: number, now: Micros): Technician | null {
    const isAvailable = (technician: Technician): boolean =>
      technician.order === 0 &&
      technician.restsUntil <= now &&
      this.#isEligible(technician, skill, zone) &&
      !isOnShift(technician, now)
    const isSpecialist = (technician: Technician): boolean => technician.skill === skill
    return (
      this.staff.find((technician) => isSpecialist(technician) && isAvailable(technician)) ??
      this.staff.find(isAvailable) ??
      null
    )
  }

  /** Calls a technician out to a zone, or to remote work; returns the time to arrival. */
  callOut(technician: Technician, zone: number, now: Micros): Micros {
    technician.staysUntil = now + callOutStay
    technician.restsUntil = technician.staysUntil + callOutRest
    return this.#random.uniform(...(zone === -1 ? remoteCallOutMinutes : callOutMinutes)) * minute
  }

  travelTime(technician: Technician, zone: number): Micros {
    return this.#minutesTo(technician, zone) * minute
  }

  /** Hires a technician in a region, or where the next one is due. */
  hire(skill: Skill, now: Micros, inRegion: number | null = null): void {
    const { zones } = this.#topology
    const nth = this.staff.filter((technician) => technician.skill === skill).length
    const region = inRegion ?? zones[nth % zones.length].region
    const rows = zones.flatMap((zone, row) => (zone.region === region ? [row] : []))
    this.state.staff.push(
      createTechnician(this.staff.length + 1, skill, nth, region, rows, this.#random, now),
    )
  }

  dismiss(id: number): void {
    this.technician(id).isGone = true
  }

  train(id: number, second: Skill): void {
    this.technician(id).secondSkill = second
  }

  addAutomationSlot(): void {
    this.state.automationSlotsFree++
  }

  /** Technicians work in their own region; zone -1 is remote work. */
  #isEligible(technician: Technician, skill: Skill | 'any', zone: number): boolean {
    return (
      !technician.isGone &&
      (skill === 'any' || hasSkill(technician, skill)) &&
      (zone === -1 || this.#topology.zones[zone].region === technician.region)
    )
  }

  #minutesTo(technician: Technician, zone: number): number {
    return zone === -1 || zone === technician.zone ? minutesInsideZone : minutesToOtherZone
  }
}
