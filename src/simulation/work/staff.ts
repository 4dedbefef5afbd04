import type { Plant } from '../plant/tables.ts'
import type { RandomStream } from '../random.ts'
import { day, dayNumber, hour, type Micros } from '../time.ts'

/** What somebody, or the automation, knows how to do. */
export const skills = ['hardware', 'network', 'power', 'security', 'platform'] as const
export type Skill = (typeof skills)[number]

/** Dollars an hour at work on something. */
const wages: Readonly<Record<Skill, number>> = {
  hardware: 31,
  network: 40,
  power: 37,
  security: 46,
  platform: 44,
}

/** What people of a skill also know, every other one of them. */
const secondSkill: Readonly<Record<Skill, Skill>> = {
  hardware: 'power',
  network: 'security',
  power: 'hardware',
  security: 'platform',
  platform: 'network',
}

/** Of ten people, how many have the skill as their first. */
const skillShares: Readonly<Record<Skill, number>> = {
  hardware: 0.4,
  network: 0.22,
  power: 0.14,
  security: 0.1,
  platform: 0.14,
}

/** Who is on shift with nothing to do gets this share of the wage: the rest of the time belongs to other sites. */
export const standbyShare = 0.3

/** Who is needed where the machines are, a region at least so many. The rest work from anywhere. */
const leastInRegion: Readonly<Record<Skill, number>> = {
  hardware: 2,
  network: 2,
  power: 1,
  security: 0,
  platform: 0,
}

/** Early shifts begin at this hour, late and night shifts follow. */
const firstShiftHour = 7
const shiftHours = 8
/** Whom the first, second … of a skill works with: most by day, few at night, and there hands before heads. */
const shiftOrder: Readonly<Record<Skill, readonly number[]>> = {
  hardware: [0, 2, 1, 0, 0, 1, 0, 2, 1, 0],
  network: [0, 1, 2, 0, 1, 0],
  power: [0, 1, 2, 0],
  security: [1, 0, 2, 0],
  platform: [0, 1, 2, 0],
}

export interface Member {
  readonly id: number
  readonly name: string
  readonly skill: Skill
  readonly alsoKnows: Skill | null
  readonly wage: number
  /** 0 early, 1 late, 2 night. */
  readonly shift: number
  /** The first of two days off, as a day of the week; a night belongs to the day on which it begins. */
  readonly dayOff: number
  readonly region: number
  /** Row of the zone in which they are now. */
  zone: number
  /** Id of the work order in hand; 0 for none. */
  order: number
  /** Called in from home: there until this moment, at home and not to be called again until the other. */
  staysUntil: Micros
  restsUntil: Micros
}

const firstNames = [
  'Amara',
  'Bram',
  'Chiara',
  'Dagny',
  'Emeka',
  'Farah',
  'Goran',
  'Hana',
  'Idris',
  'Jana',
  'Kofi',
  'Lior',
  'Maren',
  'Noor',
  'Otis',
  'Priya',
  'Quinn',
  'Rasa',
  'Sven',
  'Tala',
  'Umut',
  'Vera',
  'Wanda',
  'Xenia',
  'Yuki',
  'Zoran',
  'Anouk',
  'Bela',
  'Cleo',
  'Dario',
  'Elif',
  'Finn',
  'Greta',
  'Hugo',
  'Ines',
  'Joon',
  'Kaya',
  'Luca',
  'Mina',
  'Nils',
] as const
const initials = 'ABCDEFGHJKLMNOPRSTVW'

/** A handful keep the smallest site going; beyond that, people grow slower than machines. */
export const staffFor = (hosts: number): number => 4 + Math.ceil(0.75 * Math.sqrt(hosts))

const headcount = (skill: Skill, regions: number, hosts: number): number =>
  Math.max(1, leastInRegion[skill] * regions, Math.round(staffFor(hosts) * skillShares[skill]))

/** Zones of each region, every zone as often as it has racks, so that people sit where the machines are. */
function seats(plant: Plant): number[][] {
  const byRegion: number[][] = plant.regions.map(() => [])
  plant.zones.forEach((zone, row) => {
    for (let n = 0; n < Math.max(1, zone.racks.length); n++) byRegion[zone.region].push(row)
  })
  return byRegion
}

/** Hires everybody, spread over the regions that have zones. */
export function hireStaff(plant: Plant, random: RandomStream): Member[] {
  const places = seats(plant)
  const regions = places.flatMap((zones, region) => (zones.length === 0 ? [] : [region]))
  const staff: Member[] = []
  for (const skill of skills) {
    const people = headcount(skill, regions.length, plant.hosts.count)
    for (let n = 0; n < people; n++) {
      const region = regions[n % regions.length]
      staff.push(
        hire(staff.length + 1, skill, Math.floor(n / regions.length), region, places[region], random),
      )
    }
  }
  return staff
}

/** Hires one more. `nth` is how many of the skill the region has already: shifts and days off follow from it. */
export function hire(
  id: number,
  skill: Skill,
  nth: number,
  region: number,
  zones: readonly number[],
  random: RandomStream,
): Member {
  return {
    id,
    name: `${random.pick(firstNames)} ${initials[random.below(initials.length)]}.`,
    skill,
    alsoKnows: nth % 2 === 0 ? secondSkill[skill] : null,
    wage: wages[skill],
    shift: shiftOrder[skill][nth % shiftOrder[skill].length],
    dayOff: (nth * 3 + skills.indexOf(skill) * 2) % 7,
    region,
    zone: random.pick(zones),
    order: 0,
    staysUntil: 0,
    restsUntil: 0,
  }
}

export const knows = (member: Member, skill: Skill): boolean =>
  member.skill === skill || member.alsoKnows === skill

/** Whether somebody is at work: on shift, or called in. */
export function isOnShift(member: Member, now: Micros): boolean {
  if (member.staysUntil > now) return true
  const sinceFirst = now - firstShiftHour * hour + day
  const shift = Math.floor((sinceFirst % day) / (shiftHours * hour))
  if (shift !== member.shift) return false
  const weekday = (dayNumber(sinceFirst) + 6) % 7
  return weekday !== member.dayOff && weekday !== (member.dayOff + 1) % 7
}

/** When the next shift begins. */
export function nextShiftChange(now: Micros): Micros {
  const length = shiftHours * hour
  const offset = firstShiftHour * hour
  return (Math.floor((now - offset) / length) + 1) * length + offset
}
