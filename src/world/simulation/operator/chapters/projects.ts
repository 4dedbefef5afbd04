import { hostGenerations, poolShares } from '../../topology/catalog.ts'
import { nextZoneName } from '../../topology/construction/layout.ts'
import { newestSku } from '../../topology/construction/site.ts'
import { idOf } from '../../topology/tables.ts'
import { day } from '../../time.ts'
import type { OperatorContext } from '../context.ts'
import { depositOf } from '../treasury.ts'
import { beginChapter, continueChapter, monthlyCost } from './company.ts'
import type { Project } from './company.ts'

/** New zones, which are built over months, and new generations of hosts. */

/** Price of the building, per place for a host. */
const dollarsPerPlace = 4_500
/** Share of the price in reserve at which a zone is announced, beyond a month of cost. */
const reservedShare = 0.35
/** A zone is announced when the floor is filled to this share, or when an order was refused for room or power. */
const floorShareMax = 0.8
const refusalMemory = 14 * day
const refusedFloorShareMin = 0.6
/** Reserves for a zone are kept from this share on. */
const floorShareSaved = 0.6
/** A zone opens with this share of the hosts of another zone of the beginning. */
const openingShare = 1 / 3

interface Stage {
  /** The beginning of the stage, as a clause. */
  readonly begins: string
  readonly days: readonly [least: number, most: number]
  readonly delays: readonly string[]
}

/** Each begins with an installment. */
const stages: readonly Stage[] = [
  {
    begins: 'the plans go to the authorities',
    days: [30, 60],
    delays: ['a neighbor objects to the permit', 'the authority wants another report on noise'],
  },
  {
    begins: 'the permit is granted, and construction begins',
    days: [60, 110],
    delays: [
      'rain has filled the excavation',
      'the concrete of one slab failed its test',
      'the grid operator connects the site later',
    ],
  },
  {
    begins: 'the shell stands, and power, cooling and cabling go in',
    days: [35, 60],
    delays: ['a transformer is stuck at the factory', 'chillers came without their controllers'],
  },
  {
    begins: 'commissioning begins',
    days: [10, 15],
    delays: ['the load test tripped a breaker', 'the emergency generator did not start'],
  },
]
const delayChance = 0.4
const delayDays = [7, 30] as const

/** Time from the opening of a zone to the event about its customers. */
const settledAfter = 28 * day

const generationDays = { first: [280, 400], next: [480, 680] } as const

/** Places for hosts in another zone. */
const placesOf = ({ sizing }: OperatorContext['site']): number =>
  Math.ceil(sizing.zoneHosts * sizing.growthMax)

export const zoneDollars = (site: OperatorContext['site']): number => placesOf(site) * dollarsPerPlace

const floorShare = ({ site }: OperatorContext): number => site.topology.hosts.rows.length / site.hostsMax

const hasPlaceForZone = ({ site: { topology } }: OperatorContext): boolean =>
  topology.zones.length < topology.zoneCapacity

/** Dollars of the reserves that projects will need. */
export function committedDollars(context: OperatorContext): number {
  const { site, state } = context
  const { project } = state.company
  if (project !== null) return (project.dollars * (stages.length - project.stage)) / stages.length
  return hasPlaceForZone(context) && floorShare(context) >= floorShareSaved ? zoneDollars(site) : 0
}

/** Once a day: announces, advances and opens a zone, and lets new generations of hosts appear. */
export function stepProjects(context: OperatorContext): void {
  const { state, world } = context
  stepGenerations(context)
  announceMoves(context)
  const { project } = state.company
  if (project === null) {
    const reason = reasonForZone(context)
    if (reason !== null && canBegin(context)) announceZone(context, reason)
    return
  }
  if (world.now < project.stageEnds) return
  if (!project.isDelayed && !project.isPaused && delay(context)) return
  if (project.stage === stages.length - 1) openZone(context)
  else beginStage(context, project.stage + 1)
}

/** Why the site needs another zone; null if it does not, or has all of them. */
export function reasonForZone(context: OperatorContext): string | null {
  if (!hasPlaceForZone(context)) return null
  const { state, world, site } = context
  const share = floorShare(context)
  if (share >= floorShareMax)
    return `${Math.round(share * 100)} % of the floor for ${site.hostsMax} hosts is in use`
  if (share < refusedFloorShareMin) return null
  for (const [key, at] of state.refusedAt) {
    if (world.now - at > refusalMemory) continue
    if (key.startsWith('room Pool')) return 'the racks of the present zones are full'
    if (key.startsWith('power')) return 'the grid connections of the present zones are used up'
  }
  return null
}

function canBegin({ state, site }: OperatorContext): boolean {
  const needed = zoneDollars(site) * reservedShare + monthlyCost(state)
  return state.marginPerHour > 0 && state.reserves >= needed
}

function announceZone(context: OperatorContext, reason: string): void {
  const { world, state, site } = context
  const { topology } = site
  const hosts = topology.regions.map((_, region) =>
    topology.zones.reduce((sum, zone) => sum + (zone.region === region ? zone.hosts.length : 0), 0),
  )
  const region = hosts.indexOf(Math.max(...hosts))
  const zone = nextZoneName(site.draft, region)
  const dollars = zoneDollars(site)
  const days = stages.reduce((sum, stage) => sum + (stage.days[0] + stage.days[1]) / 2, 0)
  const project: Project = {
    region,
    zone,
    dollars,
    announced: world.now,
    stage: 0,
    stageEnds: 0,
    isDelayed: false,
    isPaused: false,
  }
  state.company.project = project
  beginChapter(context, 'event.zone-announced', {
    zone,
    places: placesOf(site),
    dollars,
    instalments: stages.length,
    months: Math.round(days / 30),
    reason,
  })
  beginStage(context, 0)
}

/** Begins a stage, unless its installment cannot be paid. */
function beginStage(context: OperatorContext, stage: number): void {
  const { world, state, chance } = context
  const project = state.company.project!
  const dollars = Math.round(project.dollars / stages.length)
  if (state.reserves < dollars) {
    if (project.isPaused) return
    project.isPaused = true
    const args = { zone: project.zone, dollars, reserves: Math.round(state.reserves) }
    continueChapter(context, 'event.zone-paused', args, 'Warning')
    return
  }
  state.reserves -= dollars
  const stageEnds = world.now + Math.round(chance.uniform(...stages[stage].days)) * day
  Object.assign(project, { stage, stageEnds, isDelayed: false, isPaused: false })
  continueChapter(context, 'event.zone-stage', { zone: project.zone, stage: stages[stage].begins, dollars })
}

/** A stage may take longer, once. Returns whether it does. */
function delay(context: OperatorContext): boolean {
  const { state, chance } = context
  const project = state.company.project!
  project.isDelayed = true
  if (!chance.chance(delayChance)) return false
  const days = Math.round(chance.uniform(...delayDays))
  project.stageEnds += days * day
  const reason = chance.pick(stages[project.stage].delays)
  continueChapter(context, 'event.zone-delayed', { zone: project.zone, days, reason }, 'Warning')
  return true
}

function openZone(context: OperatorContext): void {
  const { world, state, site, construct } = context
  const { topology } = site
  const project = state.company.project!
  const hosts = Math.max(topology.pools.length, Math.ceil(site.sizing.zoneHosts * openingShare))
  const dollars = poolShares(hosts)
    .slice(0, topology.pools.length)
    .reduce(
      (sum, share, pool) => sum + share.hosts * topology.hostSkus[newestSku(site, pool)].priceDollars,
      0,
    )
  construct({ kind: 'Zone', region: project.region, hosts })
  state.reserves -= depositOf(dollars)
  state.company.project = null
  state.refusedAt.clear()
  const row = topology.zones.length - 1
  const newestCustomer = Math.max(0, ...world.tenants.active.map(({ id }) => id))
  state.company.opened = { name: project.zone, row, at: world.now, newestCustomer }
  const args = {
    zone: project.zone,
    days: Math.round((world.now - project.announced) / day),
    hosts: topology.zones[row].hosts.length,
    places: placesOf(site),
  }
  beginChapter(context, 'event.zone-opened', args, { entity: { kind: 'Zone', id: idOf(row) } })
}

function announceMoves(context: OperatorContext): void {
  const { world, state, site } = context
  const { opened } = state.company
  if (opened === null || world.now < opened.at + settledAfter) return
  state.company.opened = null
  const { zone } = site.topology.hosts
  const totals = { units: 0, customers: 0, before: 0 }
  for (const { id, hosts, hostUnits } of world.tenants.active) {
    const units = hosts.reduce((sum, host, at) => sum + (zone[host] === opened.row ? hostUnits[at] : 0), 0)
    if (units === 0) continue
    totals.units += units
    totals.customers++
    if (id <= opened.newestCustomer) totals.before++
  }
  continueChapter(context, 'event.zone-settled', { zone: opened.name, ...totals })
}

function stepGenerations(context: OperatorContext): void {
  const { world, state, site, chance, construct } = context
  const { company } = state
  if (company.nextGeneration === 0)
    company.nextGeneration = Math.round(chance.uniform(...generationDays.first)) * day
  if (world.now < company.nextGeneration || site.generation + 1 >= hostGenerations) return
  company.nextGeneration = world.now + Math.round(chance.uniform(...generationDays.next)) * day
  const before = site.topology.hostSkus[newestSku(site, 0)]
  construct({ kind: 'Generation' })
  const model = site.topology.hostSkus[newestSku(site, 0)]
  const percent = Math.round((model.vcpu / before.vcpu - 1) * 100)
  beginChapter(context, 'event.generation-released', { model: model.name, before: before.name, percent })
}
