import type { MessageKey } from '../../../src/contract/messages/catalog.ts'
import { monthsCovered } from '../../../src/world/simulation/operator/chapters/company.ts'
import { day } from '../../../src/world/simulation/time.ts'
import type { RunningWorld } from '../../../src/world/simulation/world.ts'
import type { Spread } from './spread.ts'

/** A quantity at the beginning and at the end. */
interface Change {
  readonly from: number
  readonly to: number
}

/** Growth, money, chapters and people of a company. */
export interface CompanyHistory {
  readonly hosts: Change
  readonly zones: Change
  readonly customers: Change
  /** Revenue and cost in dollars an hour, averaged over the last week. */
  readonly revenuePerHour: Change
  readonly margin: Change
  /** Months of cost in reserve, by day. */
  readonly reserves: Spread
  /** Chapters that began, by message, and days between two of them. */
  readonly chapters: ReadonlyMap<MessageKey, number>
  readonly gaps: Spread
  readonly staff: { readonly hired: number; readonly left: number; readonly trained: number }
  /** Events a day. */
  readonly told: Spread
}

/** Follows a company from its beginning. */
export class CompanyFigures {
  readonly #world: RunningWorld
  readonly #chapters = new Map<MessageKey, number>()
  readonly #gaps: number[] = []
  readonly #reserves: number[] = []
  readonly #told: number[] = []
  readonly #first: Readonly<Record<'hosts' | 'zones' | 'customers', number>>
  #firstMoney: { readonly revenue: number; readonly margin: number } | null = null
  readonly #staff = { hired: 0, left: 0, trained: 0 }
  #seenUntilNs = -1n
  #lastChapter = 0
  #emitted = 0

  constructor(world: RunningWorld) {
    this.#world = world
    this.#first = this.#sizes()
  }

  #sizes() {
    const { topology, tenants } = this.#world.state
    const { hosts, zones } = topology
    return { hosts: hosts.rows.length, zones: zones.length, customers: tenants.active.length }
  }

  #money() {
    const { costPerHour, marginPerHour } = this.#world.parts.operator.state
    const revenue = costPerHour + marginPerHour
    return { revenue, margin: revenue > 0 ? marginPerHour / revenue : 0 }
  }

  /** Runs once a minute: the event log of the world retains only the newest events. */
  look(): void {
    const { state, parts } = this.#world
    for (const { at_ns, kind, msg_key } of state.events.state.window) {
      if ((at_ns as bigint) <= this.#seenUntilNs) continue
      this.#seenUntilNs = at_ns as bigint
      if (kind === 'StaffHired') this.#staff.hired++
      else if (kind === 'StaffLeft') this.#staff.left++
      else if (kind === 'StaffTrained') this.#staff.trained++
      else if (kind === 'ChapterBegan') this.#began(msg_key as MessageKey)
    }
    if (state.now % day !== 0) return
    this.#reserves.push(monthsCovered(parts.operator.state))
    this.#told.push(state.events.state.emitted - this.#emitted)
    this.#emitted = state.events.state.emitted
    if (state.now === 7 * day) this.#firstMoney = this.#money()
  }

  #began(key: MessageKey): void {
    const { now } = this.#world.state
    this.#gaps.push((now - this.#lastChapter) / day)
    this.#lastChapter = now
    this.#chapters.set(key, (this.#chapters.get(key) ?? 0) + 1)
  }

  history(): CompanyHistory {
    this.#gaps.push((this.#world.state.now - this.#lastChapter) / day)
    const now = this.#sizes()
    const money = this.#money()
    const before = this.#firstMoney ?? money
    return {
      hosts: { from: this.#first.hosts, to: now.hosts },
      zones: { from: this.#first.zones, to: now.zones },
      customers: { from: this.#first.customers, to: now.customers },
      revenuePerHour: { from: before.revenue, to: money.revenue },
      margin: { from: before.margin, to: money.margin },
      reserves: this.#reserves,
      chapters: this.#chapters,
      gaps: this.#gaps,
      staff: this.#staff,
      told: this.#told,
    }
  }
}
