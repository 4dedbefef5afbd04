import { bands } from '../../../src/contract/vocabularies.ts'
import type { Band, RootKind, SymptomKind } from '../../../src/contract/vocabularies.ts'
import type { Incident } from '../../../src/world/simulation/incidents/model.ts'
import type { Dispatcher } from '../../../src/world/simulation/operations/dispatcher.ts'
import { isGrave, technicianWaits } from '../../../src/world/simulation/operations/priority.ts'
import { inspectionInterval, isFruitless } from '../../../src/world/simulation/incidents/writers/timeline.ts'
import type { WorldView } from '../../../src/world/simulation/state.ts'
import { day, hour, minute } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import type { ScaleName } from '../../../src/world/simulation/topology/sizing.ts'
import { createWorld } from '../../../src/world/simulation/world.ts'
import type { CompanyHistory } from './company.ts'
import { CompanyFigures } from './company.ts'
import type { PostMortemFigures } from './post-mortems.ts'
import { PostMortems } from './post-mortems.ts'
import type { ServiceLevelFigures } from './service-levels.ts'
import { ServiceLevels } from './service-levels.ts'
import type { Spread } from './spread.ts'

/** Root kinds of failed equipment, power, cooling or cables, as opposed to people, software or demand. */
export const equipmentKinds: ReadonlySet<RootKind> = new Set<RootKind>([
  'HostFailure',
  'DiskFailure',
  'PowerSupplyFailure',
  'PowerFeedLoss',
  'FanFailure',
  'CoolingFailure',
  'SwitchFailure',
  'GatewayFailure',
  'ApplianceFailure',
  'PortFlap',
  'CableCut',
  'CableFault',
  'TransceiverFailure',
])

/** The figures that determine the plausibility of a world. */
export interface MeasuredWorld extends PostMortemFigures, ServiceLevelFigures {
  readonly seed: bigint
  readonly days: number
  /** Resolved incidents by their peak band. */
  readonly bands: Readonly<Record<Band, number>>
  /** Share of the time with an open incident of each band. */
  readonly timeInBand: Readonly<Record<Band, number>>
  /** Minutes from the opening to the resolution, and to the confirmation of the cause. */
  readonly durations: Readonly<Record<Band, Spread>>
  readonly confirmations: Spread
  readonly rootKinds: ReadonlyMap<RootKind, number>
  /** Incidents that turned out to be part of another: their cause is not counted again. */
  readonly merged: number
  /** Root kinds of incidents that were Major or Critical. */
  readonly graveRootKinds: ReadonlyMap<RootKind, number>
  /** Symptoms in titles, and all symptoms. */
  readonly headlines: ReadonlyMap<SymptomKind, number>
  /** Minutes for which an order of a grave incident waited for a technician before it began. */
  readonly graveWaits: Spread
  /** The longest time in minutes, by Critical incident, without work or a stated wait. */
  readonly silences: Spread
  /** Hourly, over all zones. */
  readonly pue: Spread
  readonly outdoorCelsius: Spread
  readonly inletCelsius: Spread
  /** Combined load of both feeds as a share of one feed's capacity: its load after the loss of the other. */
  readonly survivingFeedLoad: Spread
  readonly coolingLoad: Spread
  readonly company: CompanyHistory
}

export interface MeasuredRun {
  readonly seed: bigint
  readonly scale: number | ScaleName
  readonly days: number
}

/** Simulates a number of days of a world and measures them. */
export function measureWorld({ seed, scale, days }: MeasuredRun): MeasuredWorld {
  const world = createWorld({ seed, scale, scenario: null, warmUp: 0 })
  const { state, parts } = world
  const incidents = new IncidentFigures(parts.incidents.state)
  const response = new ResponseFigures(parts.incidents.state, parts.operations.dispatcher)
  const facility = new FacilityFigures()
  const company = new CompanyFigures(world)
  const postMortems = new PostMortems(state, parts.blastRadius, parts.incidents.state)
  const serviceLevels = new ServiceLevels(parts.customers.state.accounts)
  while (state.now < days * day) {
    world.step()
    if (state.now % minute === 0) {
      incidents.look(state.now)
      response.look(state.now)
      company.look()
      postMortems.look()
    }
    if (state.now % hour === 0) facility.look(state)
    if (state.now % day === 0) serviceLevels.look()
  }
  return {
    seed,
    days,
    ...incidents.figures(),
    ...response.figures(),
    ...facility.figures,
    ...postMortems.figures(),
    ...serviceLevels.figures(),
    company: company.history(),
  }
}

interface IncidentLists {
  readonly open: ReadonlyMap<number, Incident>
  readonly resolved: readonly Incident[]
}

class IncidentFigures {
  readonly #lists: IncidentLists
  readonly #seen = new Set<number>()
  readonly #byBand = perBand(() => 0)
  readonly #minutesInBand = perBand(() => 0)
  readonly #durations = perBand((): number[] => [])
  readonly #confirmations: number[] = []
  readonly #rootKinds = new Map<RootKind, number>()
  readonly #graveRootKinds = new Map<RootKind, number>()
  #merged = 0
  readonly #headlines = new Map<SymptomKind, number>()
  #minutes = 0

  constructor(lists: IncidentLists) {
    this.#lists = lists
  }

  look(now: Micros): void {
    this.#minutes++
    const present = new Set(Array.from(this.#lists.open.values(), ({ band }) => band))
    for (const band of present) this.#minutesInBand[band]++
    const { resolved } = this.#lists
    for (let i = resolved.length - 1; i >= 0 && now - resolved[i].resolved! <= minute; i--) {
      if (this.#seen.has(resolved[i].id)) continue
      this.#seen.add(resolved[i].id)
      this.#add(resolved[i])
    }
  }

  #add({ peakBand, rootKind, partOfId, headline, opened, resolved, timeline }: Incident): void {
    this.#byBand[peakBand]++
    this.#durations[peakBand].push((resolved! - opened) / minute)
    increment(this.#headlines, headline.kind)
    if (partOfId !== null) this.#merged++
    else {
      increment(this.#rootKinds, rootKind)
      if (peakBand === 'Major' || peakBand === 'Critical') increment(this.#graveRootKinds, rootKind)
    }
    const confirmed = timeline.find(({ kind }) => kind === 'CauseConfirmed')
    if (confirmed !== undefined) this.#confirmations.push((confirmed.at - opened) / minute)
  }

  figures() {
    return {
      bands: this.#byBand,
      timeInBand: perBand((band) => this.#minutesInBand[band] / this.#minutes),
      durations: this.#durations,
      confirmations: this.#confirmations,
      rootKinds: this.#rootKinds,
      merged: this.#merged,
      graveRootKinds: this.#graveRootKinds,
      headlines: this.#headlines,
    }
  }
}

/** How long grave incidents wait for work. */
class ResponseFigures {
  readonly #incidents: IncidentLists
  readonly #work: Pick<Dispatcher, 'open'>
  /** Minutes by grave order, and those that have begun. */
  readonly #waits = new Map<number, number>()
  readonly #begun = new Set<number>()
  /** By Critical incident: the time of silence until now, and the longest. */
  readonly #silences = new Map<number, { minutes: number; longest: number }>()

  constructor(incidents: IncidentLists, work: Pick<Dispatcher, 'open'>) {
    this.#incidents = incidents
    this.#work = work
  }

  look(now: Micros): void {
    const { open } = this.#work
    for (const { id, began, blocking, isAssigned, priority, skill } of open) {
      if (skill === null || !isGrave({ priority }) || this.#begun.has(id)) continue
      const waited = this.#waits.get(id) ?? 0
      const isWaiting = !isAssigned && (blocking === null || technicianWaits.has(blocking))
      this.#waits.set(id, waited + Number(isWaiting))
      if (began !== null) this.#begun.add(id)
    }
    for (const { id, band, root, symptoms, workOrderIds, timeline } of this.#incidents.open.values()) {
      if (band !== 'Critical') continue
      const silence = this.#silences.get(id) ?? { minutes: 0, longest: 0 }
      const isTold = open.some(
        (order) => workOrderIds.includes(order.id) && (order.isAssigned || order.blocking !== null),
      )
      const isOver = symptoms.size === 0 || (root !== null && root.ended !== null)
      const isNextStated = now - (timeline.findLast(isFruitless)?.at ?? -Infinity) < inspectionInterval(band)
      silence.minutes = isTold || isOver || isNextStated ? 0 : silence.minutes + 1
      silence.longest = Math.max(silence.longest, silence.minutes)
      this.#silences.set(id, silence)
    }
  }

  figures() {
    const graveWaits = [...this.#waits.values()]
    const silences = Array.from(this.#silences.values(), ({ longest }) => longest)
    return { graveWaits, silences }
  }
}

class FacilityFigures {
  readonly figures = {
    pue: [] as number[],
    outdoorCelsius: [] as number[],
    inletCelsius: [] as number[],
    survivingFeedLoad: [] as number[],
    coolingLoad: [] as number[],
  }

  look({ topology, facility }: WorldView): void {
    topology.zones.forEach(({ feeds: [a, b], racks }, zone) => {
      const drawKw = facility.feedLoadKw[a] + facility.feedLoadKw[b]
      let devicesKw = 0
      for (const rack of racks) {
        devicesKw += facility.rackWatts[rack] / 1000
        this.figures.inletCelsius.push(facility.rackInletCelsius[rack])
      }
      if (devicesKw === 0) return
      this.figures.outdoorCelsius.push(facility.outdoorCelsius[zone])
      this.figures.pue.push(drawKw / devicesKw)
      this.figures.survivingFeedLoad.push(
        drawKw / Math.min(topology.feeds.capacityKw[a], topology.feeds.capacityKw[b]),
      )
      // Without any cooling capacity, its load is undefined.
      const coolingKw = facility.zoneCoolingCapacityKw[zone]
      if (coolingKw > 0) this.figures.coolingLoad.push(facility.zoneHeatKw[zone] / coolingKw)
    })
  }
}

const perBand = <Value>(of: (band: Band) => Value): Record<Band, Value> =>
  Object.fromEntries(bands.map((band) => [band, of(band)])) as Record<Band, Value>

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
