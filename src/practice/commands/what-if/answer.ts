/** Answers about what would follow, in words, and as a table. */
import { slaPeriodDays } from '../../../contract/sla.ts'
import { textTable } from '../../../text/text-table.ts'
import { costOf } from '../../twins/customer-harm.ts'
import type { CustomerDifference } from '../../twins/customer-harm.ts'
import { pathTo } from '../../twins/effect-paths.ts'
import type { Consequences, Relief, Toll } from '../../twins/what-if.ts'
import { spanText } from '../../../words/moments.ts'
import { counted, dollarsText, listed } from '../../../words/phrases.ts'

export interface Remedied extends Toll {
  readonly action: string
}

const isHurt = ({ hurtSeconds }: CustomerDifference): boolean => hurtSeconds > 0
const rowsMax = 30
const countText = (count: number): string => Math.max(0, Math.round(count)).toLocaleString('en-US')

/** Hurt customers in the order in which they are hit, the longest first. */
const hurtOf = (customers: readonly CustomerDifference[]): CustomerDifference[] =>
  customers
    .filter(isHurt)
    .toSorted((a, b) => a.sinceSeconds! - b.sinceSeconds! || b.hurtSeconds - a.hurtSeconds)

function hurtText(customers: readonly CustomerDifference[]): string {
  const hurt = hurtOf(customers)
  const worse = customers.filter((customer) => !isHurt(customer) && customer.failedRequests >= 1)
  const others = worse.length === 0 ? '' : ` It gets worse for ${counted(worse.length, 'more customer')}.`
  if (hurt.length === 0) return worse.length === 0 ? 'No customer is hurt.' : others.trim()
  const seconds = hurt[0].sinceSeconds!
  const first = seconds === 0 ? 'at once' : `after ${spanText(seconds)}`
  const names = listed(
    hurt.map(({ name, tier, hurtSeconds }) => `${name} (${tier}) for ${spanText(hurtSeconds)}`),
  )
  return `${counted(hurt.length, 'customer')} would be hurt, the first ${first}: ${names}.${others}`
}

function costText({ customers, costDollars }: Toll): string {
  const due = customers.reduce((sum, { creditsDueDollars }) => sum + creditsDueDollars, 0)
  const credits = customers.reduce((sum, { creditsDollars }) => sum + creditsDollars, due)
  const dueText =
    Math.abs(due) < 0.01
      ? ''
      : `, ${dollarsText(due)} of them due when SLA periods of ${slaPeriodDays} days end, not before`
  const leaving = customers.filter(({ hasLeft }) => hasLeft).map(({ name }) => name)
  const cost =
    Math.abs(costDollars) < 0.01
      ? 'It costs nothing.'
      : costDollars < 0
        ? `It costs nothing: ${dollarsText(-costDollars)} more is earned.`
        : `It costs ${dollarsText(costDollars)}: ${dollarsText(costDollars - credits)} of revenue and ${dollarsText(credits)} of SLA credits${dueText}.`
  return leaving.length === 0 ? cost : `${cost} ${listed(leaving)} would leave.`
}

/** Loads in the units that people use for them. */
function amountText(family: string, value: number): string {
  if (family.endsWith('_watts')) return `${(value / 1000).toFixed(1)} kW`
  if (family.endsWith('_bytes_per_second')) return `${((value * 8) / 1e9).toFixed(2)} Gbit/s`
  return `${value.toFixed(1)} vCPU`
}

const reliefText = ({ name, family, baseline, changed }: Relief): string =>
  `${name} carries ${amountText(family, changed)} instead of ${amountText(family, baseline)}`

function savedText({ reliefs, faults }: Consequences): string[] {
  const repairs = faults.map(({ end, begin, ended_by: by, entity: { kind, name } }) => {
    if (end === null) return `${name} is not repaired in this time`
    const after = spanText(end.sim_s - begin.sim_s)
    return by === 'repair'
      ? `technicians ${kind === 'Customer' ? 'end it for' : 'repair'} ${name} after ${after}`
      : `what is wrong at ${name} ends by itself after ${after}`
  })
  return [...reliefs.map(reliefText), ...repairs]
}

/** The way to the customer that is hurt first. */
function pathText({ customers, entities }: Consequences): string | null {
  const [first] = hurtOf(customers)
  const steps = first === undefined ? [] : pathTo(entities, `Customer ${first.id}`)
  // Customers who share a way do not lead to each other.
  const parts = steps.filter(({ key }, index) => index === steps.length - 1 || !key.startsWith('Customer '))
  return parts.length < 2 ? null : parts.map(({ name }) => name).join(' → ')
}

const isSameToll = (one: Toll, other: Toll): boolean =>
  Math.abs(one.costDollars - other.costDollars) < 0.01 &&
  one.customers.length === other.customers.length &&
  one.customers.every(({ hurtSeconds, failedRequests }, index) => {
    const { hurtSeconds: seconds, failedRequests: failed } = other.customers[index]
    return hurtSeconds === seconds && Math.round(failedRequests) === Math.round(failed)
  })

/** The saving of a remedy; empty below a cent. */
function sparedText(dollars: number): string {
  if (Math.abs(dollars) < 0.01) return ''
  return dollars > 0 ? ` That saves ${dollarsText(dollars)}.` : ` That costs ${dollarsText(-dollars)} more.`
}

export function answerText(question: string, answer: Consequences, remedied: Remedied | null): string {
  const { customers, lastsSeconds } = answer
  const saved = savedText(answer)
  const path = pathText(answer)
  const lines = [
    `${question}, over the next ${spanText(lastsSeconds)}:`,
    '',
    hurtText(customers),
    costText(answer),
    ...(path === null ? [] : [`The way to the first: ${path}.`]),
    ...(saved.length === 0
      ? []
      : [`What saves ${customers.some(isHurt) ? 'the rest' : 'all'}: ${saved.join('; ')}.`]),
  ]
  if (remedied !== null && isSameToll(answer, remedied))
    lines.push(`With "${remedied.action}": it changes nothing.`)
  else if (remedied !== null)
    lines.push(
      `With "${remedied.action}": ${hurtText(remedied.customers)} ${costText(remedied)}${sparedText(answer.costDollars - remedied.costDollars)}`,
    )
  const shown = customers.filter((customer) => isHurt(customer) || Math.abs(costOf(customer)) >= 1)
  if (shown.length > 0) lines.push('', customerTable(shown.slice(0, rowsMax)))
  if (shown.length > rowsMax) lines.push(`and ${counted(shown.length - rowsMax, 'more customer')}`)
  return lines.join('\n')
}

const customerTable = (customers: readonly CustomerDifference[]): string =>
  textTable([
    ['customer', 'plan', 'hurt after', 'for', 'failed requests', 'cost'],
    ...customers.map((customer) => [
      customer.name,
      customer.tier,
      customer.sinceSeconds === null ? '–' : spanText(customer.sinceSeconds),
      isHurt(customer) ? spanText(customer.hurtSeconds) : '–',
      countText(customer.failedRequests),
      dollarsText(costOf(customer)),
    ]),
  ])

export interface Loss {
  readonly name: string
  readonly toll: Toll
}

/** The gravest first. */
export function lossTable(losses: readonly Loss[]): string {
  const rows = losses.map(({ name, toll: { customers, costDollars } }) => {
    const hurt = hurtOf(customers)
    return [
      name,
      String(hurt.length),
      hurt.length === 0 ? '–' : spanText(hurt[0].sinceSeconds!),
      hurt.length === 0 ? '–' : spanText(Math.max(...hurt.map(({ hurtSeconds }) => hurtSeconds))),
      countText(customers.reduce((sum, { failedRequests }) => sum + failedRequests, 0)),
      dollarsText(costDollars),
    ]
  })
  return textTable([['lost', 'customers hurt', 'first after', 'longest', 'failed requests', 'cost'], ...rows])
}
