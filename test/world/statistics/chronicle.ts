import type { EventRecord } from '../../../src/contract/collections.ts'
import { messageText } from '../../../src/contract/messages/catalog.ts'
import type { MessageKey } from '../../../src/contract/messages/catalog.ts'
import { bands } from '../../../src/contract/vocabularies.ts'
import type { Band } from '../../../src/contract/vocabularies.ts'
import type { Incident } from '../../../src/world/simulation/incidents/model.ts'
import { day, hour, minute } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import type { ScaleName } from '../../../src/world/simulation/topology/sizing.ts'
import { createWorld } from '../../../src/world/simulation/world.ts'
import type { RunningWorld } from '../../../src/world/simulation/world.ts'

/** The state of a world at the end of a period, with the events of the period. */
export interface Period {
  readonly fromDay: number
  readonly toDay: number
  readonly hosts: number
  readonly customers: number
  readonly reputation: number
  /** Mean over the customers, from 0 to 1. */
  readonly satisfaction: number
  readonly revenue: number
  readonly cost: number
  readonly credits: number
  /** Opened incidents by their peak band. */
  readonly incidents: Readonly<Record<Band, number>>
  /** By message. */
  readonly events: ReadonlyMap<MessageKey, number>
}

/** A significant event, with its cost in dollars. */
interface Happening {
  readonly at: Micros
  readonly text: string
  readonly dollars: number
}

export interface Chronicle {
  readonly seed: bigint
  readonly scale: number | ScaleName
  readonly days: number
  readonly periods: readonly Period[]
  /** The most significant events, in order of time. */
  readonly happenings: readonly Happening[]
}

interface ChronicleRun {
  readonly seed: bigint
  readonly scale: number | ScaleName
  readonly days: number
  readonly onDay: (day: number) => void
}

const periodsMax = 12
const happeningsMax = 10

/** Simulates a number of days of a world and records its significant events. */
export function chronicleOf({ seed, scale, days, onDay }: ChronicleRun): Chronicle {
  const world = createWorld({ seed, scale, scenario: null, warmUp: 0 })
  const { state } = world
  const daysPerPeriod = Math.max(1, Math.ceil(days / periodsMax))
  const periods: Period[] = []
  const happenings = new Happenings()
  let record = new PeriodRecord(world, 0)
  while (state.now < days * day) {
    world.step()
    if (state.now % minute === 0) record.look(happenings)
    if (state.now % day !== 0) continue
    const today = state.now / day
    onDay(today)
    if (today % daysPerPeriod !== 0 && today !== days) continue
    periods.push(record.end(today))
    record = new PeriodRecord(world, today, record)
  }
  return { seed, scale, days, periods, happenings: happenings.gravest() }
}

/** Retains the most significant events. */
class Happenings {
  #kept: Happening[] = []

  add(happening: Happening): void {
    this.#kept.push(happening)
    if (this.#kept.length < 40 * happeningsMax) return
    this.#kept = this.#kept.toSorted((a, b) => b.dollars - a.dollars).slice(0, happeningsMax)
  }

  gravest(): Happening[] {
    const gravest = this.#kept.toSorted((a, b) => b.dollars - a.dollars).slice(0, happeningsMax)
    return gravest.toSorted((a, b) => a.at - b.at)
  }
}

/** Cost of losing a customer, in hours of its revenue. */
const hoursLostWithCustomer = 30 * 24

class PeriodRecord {
  readonly #world: RunningWorld
  readonly #fromDay: number
  readonly #before: { readonly revenue: number; readonly cost: number; readonly credits: number }
  readonly #incidents = Object.fromEntries(bands.map((band) => [band, 0])) as Record<Band, number>
  readonly #events = new Map<MessageKey, number>()
  readonly #revenues: Map<number, number>
  #seenUntilNs: bigint
  #closedUntil: Micros

  constructor(world: RunningWorld, fromDay: number, previous: PeriodRecord | null = null) {
    this.#world = world
    this.#fromDay = fromDay
    this.#before = booked(world)
    this.#revenues = previous === null ? new Map<number, number>() : previous.#revenues
    this.#seenUntilNs = previous === null ? -1n : previous.#seenUntilNs
    this.#closedUntil = previous === null ? -1 : previous.#closedUntil
  }

  /** Runs once a minute: the event log of the world retains only the newest events. */
  look(happenings: Happenings): void {
    const { state, parts } = this.#world
    for (const event of state.events.state.window) {
      if ((event.at_ns as bigint) <= this.#seenUntilNs) continue
      this.#seenUntilNs = event.at_ns as bigint
      this.#note(event, happenings)
    }
    if (state.now % hour === 0)
      for (const { id, revenuePerHour } of state.tenants.active)
        this.#revenues.set(id, Math.max(revenuePerHour, (this.#revenues.get(id) ?? 0) * 0.999))
    const { resolved } = parts.incidents.state
    const since = this.#closedUntil
    for (const incident of resolved.filter((one) => one.resolved! > since)) {
      this.#closedUntil = Math.max(this.#closedUntil, incident.resolved!)
      this.#incidents[incident.peakBand]++
      happenings.add(incidentHappening(incident))
    }
  }

  #note(event: EventRecord, happenings: Happenings): void {
    const key = event.msg_key as MessageKey
    this.#events.set(key, (this.#events.get(key) ?? 0) + 1)
    if (key !== 'event.customer-leaving' && key !== 'event.account-leaving') return
    happenings.add({
      at: this.#world.state.now,
      text: messageText(event.msg_key, event.msg_args),
      dollars: (this.#revenues.get(Number(event.entity_id)) ?? 0) * hoursLostWithCustomer,
    })
  }

  end(toDay: number): Period {
    const { topology, tenants } = this.#world.state
    const { revenue, cost, credits } = booked(this.#world)
    const satisfaction =
      tenants.active.reduce((sum, one) => sum + one.satisfaction, 0) / tenants.active.length
    return {
      fromDay: this.#fromDay,
      toDay,
      hosts: topology.hosts.rows.length,
      customers: tenants.active.length,
      reputation: tenants.reputation,
      satisfaction,
      revenue: revenue - this.#before.revenue,
      cost: cost - this.#before.cost,
      credits: credits - this.#before.credits,
      incidents: this.#incidents,
      events: this.#events,
    }
  }
}

function booked({ state: { money } }: RunningWorld) {
  const cost = money.directCost + money.facilityCost + money.transitCost + money.addonCost
  return { revenue: money.revenue, cost, credits: money.credits }
}

function incidentHappening({ id, headline, opened, resolved, peakBand, peakImpact }: Incident): Happening {
  const hours = (resolved! - opened) / hour
  const customers = peakImpact.customers.length
  const affected = customers === 1 ? '1 customer' : `${customers} customers`
  return {
    at: opened,
    text: `${peakBand} incident ${id}, ${affected}, ${hours.toFixed(1)} h: ${headline.text}`,
    dollars: peakImpact.revenueAtRiskPerHour * hours,
  }
}
