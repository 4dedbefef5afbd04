import type { AlertName } from '../../../../alerts/cases/alert-cases.ts'
import type { WebhookAlert } from '../../inbox/message.ts'
import { wrongAmount } from '../amounts.ts'
import type { Chronicle } from '../chronicle.ts'
import { claimsOfRun } from '../claims.ts'
import type { Claim } from '../claim.ts'
import { secondsOf } from '../evaluate.ts'
import type { Played } from '../play.ts'
import { allAlerts } from '../rules.ts'
import { statesWithin } from './facts.ts'
import { wrongTimes } from './incident-times.ts'

const claims = claimsOfRun() as Readonly<Partial<Record<string, Claim>>>
const rules = new Map(allAlerts().map((rule) => [rule.alert as string, rule]))

/** The longest delay from a condition to the post about it: a scrape, a recording and an evaluation. */
const seenWithin = 15
/** Texts are renewed each minute. */
const textsLast = 60

/** The wall seconds in which a message's statements may have been true: up to its arrival. */
type Window = readonly [from: number, to: number]
type Labels = Readonly<Record<string, string>>

const heldWithin = (
  chronicle: Chronicle[string] | undefined,
  key: string,
  from: number,
  to: number,
): boolean => (chronicle?.[key] ?? []).some(([begins, ends]) => begins <= to && ends >= from)

/** Seconds for which an alert keeps firing after its condition has ended. */
export const keepFiringSecondsOf = (alert: string): number => {
  const rule = rules.get(alert) as { readonly keepFiringFor?: string | null } | undefined
  return (claims[alert]?.lingers ?? 0) + secondsOf(rule?.keepFiringFor ?? null)
}

/** Whether an alert's claim held within `before` seconds of a time, or so recently that the alert still fires. */
export function claimHolds({ labels }: WebhookAlert, at: number, played: Played, before = 0): boolean {
  const name = labels['alertname']
  const claim = claims[name]
  if (claim === undefined || played.altered[name as AlertName] !== undefined || played.foreign) return true
  const key = claim.key.map((label) => labels[label]).join('/')
  return heldWithin(played.nearly[name], key, at - before - seenWithin - keepFiringSecondsOf(name), at)
}

/**
 * False statements of a message about a firing alert, as of its arrival. On a busy machine posts are late by up to
 * `late` seconds of the run.
 */
export function falseOfFiring(alert: WebhookAlert, at: number, played: Played, late = 0): string[] {
  const { labels, annotations } = alert
  const name = labels['alertname']
  const wrong = claimHolds(alert, at, played, late) ? [] : ['what it claims does not hold']
  const text = `${annotations['summary']}. ${annotations['description']}`
  const since = at - textsLast - seenWithin - keepFiringSecondsOf(name) - late
  return [
    ...wrong,
    ...wrongTimes(alert, at, played),
    ...wrongNames(text, labels, played),
    ...wrongNumbers(text, labels, [since, at], played),
    ...wrongAmounts(text, labels, [since, at], played),
  ]
}

/** Wrong shares, temperatures, counts and durations in the texts of an alert. */
function wrongAmounts(text: string, labels: Labels, window: Window, played: Played): string[] {
  const { alertname: name } = labels
  const claim = claims[name]
  if (claim?.amount === undefined || played.altered[name as AlertName] !== undefined || played.foreign)
    return []
  if (window[1] < (claim.amount.fills ?? 0)) return []
  const key = claim.key.map((label) => labels[label]).join('/')
  const wrong = wrongAmount(text, claim.amount, played.amounts[name]?.[key], window)
  return wrong === null ? [] : [wrong]
}

/** The format of names of devices, racks, pools and hosts. */
const deviceName = /\b[a-z]{3}-[a-z](?:-[a-z0-9]+)+\b/g

function wrongNames(text: string, labels: Labels, { facts }: Played): string[] {
  const names = new Set(facts.names)
  const namesInText = [...(text.match(deviceName) ?? [])]
  const { name, display_name: zone } = labels
  // A link is named by its ends, of which one may belong to a carrier.
  if (name !== undefined && !name.includes('–')) namesInText.push(name)
  if (zone !== undefined) namesInText.push(zone)
  return [...new Set(namesInText)]
    .filter((one) => one !== '' && !names.has(one))
    .map((one) => `there is no ${one}`)
}

/** Wrong bands, ages, numbers of customers and revenue at risk of an incident. */
function wrongNumbers(text: string, labels: Labels, [from, to]: Window, { facts }: Played): string[] {
  const { incident } = labels
  if (incident === undefined) return []
  const states = statesWithin(facts.incidents[incident], from, to)
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
  const bandsSaid = isRenamed(labels)
    ? []
    : [labels['band'], /^(Watch|Minor|Major|Critical) /.exec(text)?.[1]]
  for (const band of new Set(bandsSaid)) {
    if (band !== undefined && !states.some(([, one]) => one === band)) {
      wrong.push(`band ${band} is ${states.at(-1)![1]}`)
    }
  }
  const age = wrongAge(text, facts.incidentsSince[incident], [from, to])
  return age === null ? wrong : [...wrong, age]
}

/** The age of an incident: a wall second is a simulated minute. */
function wrongAge(text: string, started: number | undefined, [from, to]: Window): string | null {
  const found = /Open for ((?:\d+[dhms] ?)+) ?of/i.exec(text)
  if (found === null || started === undefined) return null
  const minutes = [...found[1].matchAll(/(\d+)([dhms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * { d: 1440, h: 60, m: 1, s: 1 / 60 }[unit]!,
    0,
  )
  const isSo = minutes >= from - started - 1 && minutes <= to - started + 1
  return isSo ? null : `open for ${found[1].trim()} is ${(to - started).toFixed(0)} minutes`
}

/** Bands that the proof renames. */
const isRenamed = ({ band }: Labels): boolean => band === 'Ruinous'

/** False statements of a message about a resolved alert. */
export function falseOfResolved(alert: WebhookAlert, at: number, played: Played): string[] {
  const { labels } = alert
  const name = labels['alertname']
  const claim = claims[name]
  if (claim === undefined || played.altered[name as AlertName] !== undefined || played.foreign) return []
  const key = claim.key.map((label) => labels[label]).join('/')
  // The condition must have ended, at least for a moment, before the last evaluation.
  const spans = played.surely[name]?.[key] ?? []
  const isSo = spans.some(([from, to]) => from <= at - seenWithin - 135 && to >= at)
  return [...(isSo ? ['it still holds'] : []), ...wrongTimes(alert, at, played)]
}
