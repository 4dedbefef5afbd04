import type { Plant } from '../plant/tables.ts'
import type { RandomStream } from '../random.ts'
import { hour, type Micros, minute } from '../time.ts'
import { hire, hireStaff, isOnShift, knows, type Member, type Skill, standbyShare } from './staff.ts'

/** How many things the automation does at the same time. */
const automationSlotsFor = (hosts: number): number => 3 + Math.floor(hosts / 60)

/** How long somebody who was called in from home is on the way, stays, and then rests. */
const callInMinutes: readonly [number, number] = [35, 60]
const callInStay: Micros = 5 * hour
const restAfterCallIn: Micros = 7 * hour

/** On foot inside a zone, by car to another one of the region. */
const minutesInsideZone = 6
const minutesToOtherZone = 24

/** Who works: people in shifts, and the automation. */
export class Crew {
  readonly staff: Member[]
  freeSlots: number
  private slots: number
  private readonly plant: Plant
  private readonly random: RandomStream

  constructor(plant: Plant, random: RandomStream) {
    this.plant = plant
    this.random = random
    this.staff = hireStaff(plant, random)
    this.slots = automationSlotsFor(plant.hosts.count)
    this.freeSlots = this.slots
  }

  member(id: number): Member {
    return this.staff[id - 1]
  }

  onShift(now: Micros): number {
    let count = 0
    for (const member of this.staff) if (isOnShift(member, now)) count++
    return count
  }

  /** What those on shift cost while they have nothing to do, dollars an hour. */
  standbyPerHour(now: Micros): number {
    let dollars = 0
    for (const member of this.staff) if (isOnShift(member, now)) dollars += member.wage * standbyShare
    return dollars
  }

  /** What those who are at work on something cost on top of that, dollars an hour. */
  activePerHour(): number {
    let dollars = 0
    for (const member of this.staff) if (member.order !== 0) dollars += member.wage * (1 - standbyShare)
    return dollars
  }

  isAnybodyOnShift(skill: Skill | 'any', zone: number, now: Micros): boolean {
    return this.staff.some((member) => this.suits(member, skill, zone) && isOnShift(member, now))
  }

  /** The one on shift with empty hands who is nearest, and of those the one whose first skill it is. */
  findFree(skill: Skill | 'any', zone: number, now: Micros): Member | null {
    let best: Member | null = null
    let bestCost = Infinity
    for (const member of this.staff) {
      if (member.order !== 0 || !this.suits(member, skill, zone) || !isOnShift(member, now)) continue
      const cost = this.minutesTo(member, zone) + (member.skill === skill ? 0 : 2)
      if (cost < bestCost) {
        best = member
        bestCost = cost
      }
    }
    return best
  }

  /** Somebody who is at home and has rested. */
  findAtHome(skill: Skill, zone: number, now: Micros): Member | null {
    const free = (member: Member): boolean =>
      member.order === 0 &&
      member.restsUntil <= now &&
      this.suits(member, skill, zone) &&
      !isOnShift(member, now)
    return (
      this.staff.find((member) => member.skill === skill && free(member)) ?? this.staff.find(free) ?? null
    )
  }

  /** Calls somebody in; gives how long it takes until they are there. */
  callIn(member: Member, now: Micros): Micros {
    member.staysUntil = now + callInStay
    member.restsUntil = member.staysUntil + restAfterCallIn
    return this.random.uniform(...callInMinutes) * minute
  }

  travelTime(member: Member, zone: number): Micros {
    return this.minutesTo(member, zone) * minute
  }

  hireOneMore(skill: Skill): Member {
    const nth = this.staff.filter((member) => member.skill === skill).length
    const { region } = this.plant.zones[nth % this.plant.zones.length]
    const zones = this.plant.zones.flatMap((zone, row) => (zone.region === region ? [row] : []))
    const member = hire(this.staff.length + 1, skill, nth, region, zones, this.random)
    this.staff.push(member)
    return member
  }

  addSlot(): void {
    this.slots++
    this.freeSlots++
  }

  /** People work in their own region, unless the work is nowhere in particular. */
  private suits(member: Member, skill: Skill | 'any', zone: number): boolean {
    return (
      (skill === 'any' || knows(member, skill)) &&
      (zone === -1 || this.plant.zones[zone].region === member.region)
    )
  }

  private minutesTo(member: Member, zone: number): number {
    return zone === -1 || zone === member.zone ? minutesInsideZone : minutesToOtherZone
  }
}
