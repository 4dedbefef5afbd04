import type { Topology } from '../topology/tables.ts'
import type { RandomStream } from '../random.ts'
import type { Micros } from '../time.ts'
import { day, dayNumber, hour } from '../time.ts'
import type { Skill } from '../work/plans.ts'
import { skills } from '../work/plans.ts'

interface SkillTraits {
  /** Dollars per hour of work. */
  readonly wage: number
  /** Second skill of every other technician with this first one. */
  readonly second: Skill
  /** Share of the headcount by first skill. */
  readonly share: number
  /** Minimum number per region of technicians with this hands-on skill. */
  readonly perRegionMin: number
  /** Shifts of the technicians with this skill, in order of hiring. */
  readonly shifts: readonly number[]
}

const traits: Readonly<Record<Skill, SkillTraits>> = {
  hardware: {
    wage: 31,
    second: 'power',
    share: 0.4,
    perRegionMin: 2,
    shifts: [0, 2, 1, 0, 0, 1, 0, 2, 1, 0],
  },
  network: { wage: 40, second: 'security', share: 0.22, perRegionMin: 2, shifts: [0, 1, 2, 0, 1, 0] },
  power: { wage: 37, second: 'hardware', share: 0.14, perRegionMin: 1, shifts: [0, 1, 2, 0] },
  security: { wage: 46, second: 'platform', share: 0.1, perRegionMin: 0, shifts: [1, 0, 2, 0] },
  platform: { wage: 44, second: 'network', share: 0.14, perRegionMin: 0, shifts: [0, 1, 2, 0] },
}

/** Share of the wage paid on standby; the rest is charged to other sites. */
const standbyWageShareMax = 0.3
/** Below this number of hosts, technicians also work for other sites. */
const hostsOfOneSite = 100
export const standbyWageShare = (hosts: number): number =>
  standbyWageShareMax * Math.min(1, hosts / hostsOfOneSite)

/** Start of the early shift; the late and the night shift follow. */
const firstShiftHour = 7
const shiftHours = 8

export interface Technician {
  readonly id: number
  readonly name: string
  readonly skill: Skill
  secondSkill: Skill | null
  readonly wage: number
  /** 0 early, 1 late, 2 night. */
  readonly shift: number
  /** The first of two consecutive weekdays off; a night shift belongs to the day of its start. */
  readonly dayOff: number
  readonly region: number
  /** Time of hiring; negative before the world began. */
  readonly joined: Micros
  /** Left the company. The row stays, as orders name it. */
  isGone: boolean
  /** Row of the technician's current zone. */
  zone: number
  /** Id of the assigned work order; 0 for none. */
  order: number
  /** After a call-out: at work until `staysUntil`, and no further call-out before `restsUntil`. */
  staysUntil: Micros
  restsUntil: Micros
}

const firstNames = [
  'Amara Bram Chiara Dagny Emeka Farah Goran Hana Idris Jana Kofi Lior Maren Noor Otis Priya Quinn',
  'Rasa Sven Tala Umut Vera Wanda Xenia Yuki Zoran Anouk Bela Cleo Dario Elif Finn Greta Hugo Ines',
  'Joon Kaya Luca Mina Nils',
].flatMap((line) => line.split(' '))
const initials = 'ABCDEFGHJKLMNOPRSTVW'

/** The headcount grows with the square root of the fleet. */
export const headcountFor = (hosts: number): number => 4 + Math.ceil(0.75 * Math.sqrt(hosts))

const headcount = (skill: Skill, regions: number, hosts: number): number =>
  Math.max(1, traits[skill].perRegionMin * regions, Math.round(headcountFor(hosts) * traits[skill].share))

/** Zones of each region, weighted by repetition per rack, so that technicians are near the equipment. */
function zonesByRegion(topology: Topology): number[][] {
  const byRegion: number[][] = topology.regions.map(() => [])
  topology.zones.forEach((zone, row) => {
    for (let n = 0; n < Math.max(1, zone.racks.length); n++) byRegion[zone.region].push(row)
  })
  return byRegion
}

/** The initial staff, spread over the regions with zones. */
export function hireStaff(topology: Topology, random: RandomStream): Technician[] {
  const places = zonesByRegion(topology)
  const regions = places.flatMap((zones, region) => (zones.length === 0 ? [] : [region]))
  const staff: Technician[] = []
  for (const skill of skills) {
    const people = headcount(skill, regions.length, topology.hosts.rows.length)
    for (let n = 0; n < people; n++) {
      const region = regions[n % regions.length]
      staff.push(
        createTechnician(
          staff.length + 1,
          skill,
          Math.floor(n / regions.length),
          region,
          places[region],
          random,
          joinedBefore(staff.length),
        ),
      )
    }
  }
  return staff
}

/** The first technicians joined between two months and four years before the world began. */
const joinedBefore = (nth: number): Micros => -(60 + ((nth * 397) % 1_400)) * day

export const secondSkillOf = (skill: Skill): Skill => traits[skill].second

/** Shift, days off and second skill follow from `nth`, the number of technicians with the skill in the region. */
export function createTechnician(
  id: number,
  skill: Skill,
  nth: number,
  region: number,
  zones: readonly number[],
  random: RandomStream,
  joined: Micros,
): Technician {
  const { wage, second, shifts } = traits[skill]
  return {
    id,
    name: `${random.pick(firstNames)} ${initials[random.below(initials.length)]}.`,
    skill,
    secondSkill: nth % 2 === 0 ? second : null,
    wage,
    shift: shifts[nth % shifts.length],
    dayOff: (nth * 3 + skills.indexOf(skill) * 2) % 7,
    region,
    joined,
    isGone: false,
    zone: random.pick(zones),
    order: 0,
    staysUntil: 0,
    restsUntil: 0,
  }
}

export const hasSkill = (member: Technician, skill: Skill): boolean =>
  member.skill === skill || member.secondSkill === skill

/** On a regular shift, or called out. */
export function isOnShift(member: Technician, now: Micros): boolean {
  if (member.isGone) return false
  if (member.staysUntil > now) return true
  const sinceFirst = now - firstShiftHour * hour + day
  const shift = Math.floor((sinceFirst % day) / (shiftHours * hour))
  if (shift !== member.shift) return false
  const weekday = (dayNumber(sinceFirst) + 6) % 7
  return weekday !== member.dayOff && weekday !== (member.dayOff + 1) % 7
}

/** Start of the next shift. */
export function nextShiftChange(now: Micros): Micros {
  const length = shiftHours * hour
  const offset = firstShiftHour * hour
  return (Math.floor((now - offset) / length) + 1) * length + offset
}
