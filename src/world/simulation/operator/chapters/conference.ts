import { day, dayOfYear } from '../../time.ts'
import type { OperatorContext } from '../context.ts'
import { beginChapter, continueChapter } from './company.ts'
import { isSaving } from './stance.ts'

/** The yearly conference for customers, which makes the company known. */

const invitationDay = 236
const noticeDays = 30
const customersMin = 5
const satisfiedMin = 0.7
const dollarsPerGuest = 120
const guestsPerCustomer = 6

export function stepConference(context: OperatorContext): void {
  const { world, state, tariff } = context
  const { company } = state
  const { active } = world.tenants
  if (company.conferenceAt === null) {
    if (dayOfYear(world.now) !== invitationDay || active.length < customersMin || isSaving(state)) return
    company.conferenceAt = world.now + noticeDays * day
    const speakers = active
      .filter(({ satisfaction }) => satisfaction >= satisfiedMin)
      .toSorted((one, other) => other.revenuePerHour - one.revenuePerHour || one.id - other.id)
      .slice(0, 2)
      .map(({ name }) => name)
    const customers = speakers.length === 0 ? 'to be announced' : speakers.join(' and ')
    beginChapter(context, 'event.conference-announced', { days: noticeDays, customers })
  } else if (world.now >= company.conferenceAt) {
    company.conferenceAt = null
    const guests = active.length * guestsPerCustomer
    state.reserves -= guests * dollarsPerGuest
    tariff.promote(21 * day)
    continueChapter(context, 'event.conference-held', { guests })
  }
}
