import { bands } from '../../contract/vocabularies.ts'
import type { WorldState } from '../state.ts'
import { type Micros, minute } from '../time.ts'
import { severityOf } from './announcements.ts'
import { type Case, touch } from './case.ts'
import { numberText } from '../../contract/messages/catalogue.ts'
import { graver, gravest, type Stake } from './stakes.ts'
import { note } from './timeline.ts'

/** How an incident's band follows what is at stake: it is the gravest of the last while. */

/** Longer than an attack wavers about its strength, or a rush about what a pool can take. */
const heldFor: Micros = 20 * minute
/** Revenue at risk that differs by less than this share is not worth a change of the record. */
const worthTelling = 0.05

/** Takes on what is at stake now. */
export function applyStake(state: WorldState, at: Case, stake: Stake): void {
  if (differs(at.stake, stake)) {
    const count = stake.customers.length
    if (count > 0 && count >= 2 * at.customersTold) {
      at.customersTold = count
      note(state, at, 'CustomersAffected', customersText(count))
    }
    at.stake = stake
    if (!isLess(stake, at.worst)) at.worst = stake
    at.view.revenueAtRiskPerHour = stake.revenueAtRiskPerHour
    touch(at, state.now)
  }
  at.bandSeen.set(stake.band, state.now)
  const shown = at.view.band
  if (graver(stake.band, shown)) raise(state, at, stake)
  else if (graver(shown, stake.band)) ease(state, at)
}

/** What is over shows what it was at its worst: by the money, or else by whom it concerned. */
function isLess(stake: Stake, worst: Stake): boolean {
  if (stake.revenueAtRiskPerHour !== worst.revenueAtRiskPerHour)
    return stake.revenueAtRiskPerHour < worst.revenueAtRiskPerHour
  const concerned = ({ customers, hostTotal }: Stake): number => customers.length + hostTotal
  return concerned(stake) < concerned(worst)
}

const customersText = (count: number): string =>
  `${count} ${count === 1 ? 'customer feels' : 'customers feel'} it`

const sameList = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

const differs = (a: Stake, b: Stake): boolean =>
  Math.abs(a.revenueAtRiskPerHour - b.revenueAtRiskPerHour) >
    worthTelling * Math.max(a.revenueAtRiskPerHour, b.revenueAtRiskPerHour) ||
  a.hostTotal !== b.hostTotal ||
  a.tier !== b.tier ||
  a.compliance !== b.compliance ||
  a.redundancyBroken !== b.redundancyBroken ||
  !sameList(a.customers, b.customers) ||
  !sameList(a.hosts, b.hosts)

function raise(state: WorldState, at: Case, stake: Stake): void {
  const from = at.view.band
  at.view.band = stake.band
  at.highest = gravest(at.highest, stake.band)
  const why = reasonOf(stake)
  note(state, at, 'BandRaised', `From ${from} to ${stake.band}: ${why}`)
  const entity = { kind: 'Incident', id: at.id } as const
  state.events.emit(
    state.now,
    'IncidentBandChanged',
    severityOf[stake.band],
    entity,
    'event.incident-raised',
    {
      incident: at.id,
      from,
      to: stake.band,
      why,
    },
  )
}

function reasonOf(stake: Stake): string {
  if (stake.customers.length === 0) return 'a promised spare is gone'
  const dollars = numberText(Math.round(stake.revenueAtRiskPerHour))
  const count = stake.customers.length
  return `${count} ${count === 1 ? 'customer' : 'customers'} and $${dollars} an hour at risk`
}

/** Goes down to the gravest band of the last while, once that is a lower one. */
function ease(state: WorldState, at: Case): void {
  const from = at.view.band
  const lately = bands.filter((band) => state.now - (at.bandSeen.get(band) ?? -Infinity) < heldFor)
  const to = lately.reduce(gravest)
  if (!graver(from, to)) return
  at.view.band = to
  note(state, at, 'BandLowered', `From ${from} to ${to}`)
  const entity = { kind: 'Incident', id: at.id } as const
  state.events.emit(state.now, 'IncidentBandChanged', 'Info', entity, 'event.incident-lowered', {
    incident: at.id,
    from,
    to,
  })
}
