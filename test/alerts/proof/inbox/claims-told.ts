import type { AlertName } from '../../../../alerts/alert-cases.ts'
import type { WebhookAlert } from '../../inbox/message.ts'
import type { Chronicle } from '../chronicle.ts'
import { claimsOfRun } from '../claims.ts'
import type { Claim } from '../claim.ts'
import { secondsOf } from '../evaluate.ts'
import type { Played } from '../play.ts'
import { allAlerts } from '../rules.ts'
import { statesWithin } from './facts.ts'

const claims = claimsOfRun() as Readonly<Partial<Record<string, Claim>>>
const rules = new Map(allAlerts().map((rule) => [rule.alert as string, rule]))

/** From a moment at which something is so to the post about it: up to a scrape, a recording and an evaluation. */
const seenWithin = 15
/** Texts are renewed each minute. */
const textsLast = 60

type Labels = Readonly<Record<string, string>>

const heldWithin = (
  chronicle: Chronicle[string] | undefined,
  key: string,
  from: number,
  to: number,
): boolean => (chronicle?.[key] ?? []).some(([begins, ends]) => begins <= to && ends >= from)

/** What keeps an alert firing after its end. */
const lingersOf = (alert: string): number => {
  const rule = rules.get(alert) as { readonly keepFiringFor?: string | null } | undefined
  return (claims[alert]?.lingers ?? 0) + secondsOf(rule?.keepFiringFor ?? null)
}

/** What is false in what a message says of an alert that fires, at the second at which it came. */
export function falseOfFiring(alert: WebhookAlert, at: number, played: Played): string[] {
  const { labels, annotations } = alert
  const name = labels['alertname']
  const claim = claims[name]
  const wrong: string[] = []
  if (claim !== undefined && played.altered[name as AlertName] === undefined && !played.foreign) {
    const key = claim.key.map((label) => labels[label]).join('/')
    const from = at - seenWithin - lingersOf(name)
    if (!heldWithin(played.nearly[name], key, from, at)) wrong.push('what it claims does not hold')
  }
  const text = `${annotations['summary']}. ${annotations['description']}`
  return [...wrong, ...wrongNames(text, labels, played), ...wrongNumbers(text, labels, at, played)]
}

/** Names as devices, racks, pools and hosts have them. */
const deviceName = /\b[a-z]{3}-[a-z](?:-[a-z0-9]+)+\b/g

function wrongNames(text: string, labels: Labels, { facts }: Played): string[] {
  const names = new Set(facts.names)
  const said = [...(text.match(deviceName) ?? [])]
  const { name, display_name: zone } = labels
  // A link is called by its ends, of which one may be a carrier's.
  if (name !== undefined && !name.includes('–')) said.push(name)
  if (zone !== undefined) said.push(zone)
  return [...new Set(said)].filter((one) => one !== '' && !names.has(one)).map((one) => `there is no ${one}`)
}

/** Customers and money at risk of an incident. */
function wrongNumbers(text: string, labels: Labels, at: number, { facts }: Played): string[] {
  const { incident } = labels
  if (incident === undefined) return []
  const states = statesWithin(facts.incidents[incident], at - textsLast - seenWithin, at)
  if (states.length === 0) return [`there is no incident ${incident}`]
  const wrong: string[] = []
  const number = (pattern: RegExp): number | null => {
    const digits = pattern
      .exec(text)
      ?.slice(1)
      .find((one) => one !== undefined)
    return digits === undefined ? null : Number(digits.replaceAll(',', ''))
  }
  const customers = number(/Customers who feel it: ([\d,]+)|\(([\d,]+) customers?/)
  if (customers !== null && !states.some(([, , count]) => count === customers)) {
    wrong.push(`${customers} customers are ${states.at(-1)![2]}`)
  }
  const dollars = number(/\$([\d,]+)(?:\/h at risk| an hour)/)
  if (dollars !== null && !states.some(([, , , amount]) => Math.abs(amount - dollars) <= 1)) {
    wrong.push(`$${dollars} an hour are $${states.at(-1)![3].toFixed(0)}`)
  }
  const band = labels['band']
  if (band !== undefined && !isRenamed(labels) && !states.some(([, one]) => one === band)) {
    wrong.push(`band ${band} is ${states.at(-1)![1]}`)
  }
  return wrong
}

/** Bands that the proof itself renames. */
const isRenamed = ({ band }: Labels): boolean => band === 'Ruinous'

/** What is false in what a message says of an alert that is over. */
export function falseOfResolved(alert: WebhookAlert, at: number, played: Played): string[] {
  const { labels } = alert
  const name = labels['alertname']
  const claim = claims[name]
  if (claim === undefined || played.altered[name as AlertName] !== undefined || played.foreign) return []
  const key = claim.key.map((label) => labels[label]).join('/')
  // It was over for a moment at least, as the evaluation before saw it.
  const spans = played.surely[name]?.[key] ?? []
  const isSo = spans.some(([from, to]) => from <= at - seenWithin - 135 && to >= at)
  return isSo ? ['it still holds'] : []
}
