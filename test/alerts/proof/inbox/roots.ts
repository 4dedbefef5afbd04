import type { WebhookAlert, WebhookBody } from '../../inbox/message.ts'
import { scrapeSeconds } from '../play.ts'
import type { Played } from '../play.ts'
import type { Received } from './deliver.ts'

/** What was said about one root cause in its first minutes, in the order of time. */
export interface Root {
  readonly root: string
  readonly messages: readonly { readonly at: number; readonly says: readonly string[] }[]
}

/** Minutes of a root cause that count, in seconds. */
export const rootSeconds = 600

/** What months bring about, such as losses, credits and customers who give notice, is of no single fault. */
const isSlow = (alertname: string, category: string): boolean =>
  ['money', 'work', 'mirror'].includes(category) ||
  ['DcsimCustomerAboutToLeave', 'DcsimSlaCreditsHigh'].includes(alertname)

/**
 * The fault behind an alert: that of its incident, or the only one at that time. Where several are there at once, it
 * is not known which of them a symptom is of. The first minutes of a fault that is older than its run are not seen.
 */
function rootOf({ labels, startsAt }: WebhookAlert, at: number, played: Played | undefined): string | null {
  const { instance, incident, alertname, category } = labels
  if (played === undefined || startsAt === '' || isSlow(alertname, category)) return null
  const { faults, incidentsSince } = played.facts
  if (incident !== undefined) {
    const fault = faults.find((one) => one.incident === incident)
    const since = fault?.from ?? incidentsSince[incident] ?? at
    if (since <= scrapeSeconds) return null
    return fault === undefined ? `${instance} incident ${incident}` : `${instance} fault ${fault.id}`
  }
  const present = faults.filter(({ from, to }) => from <= at && to >= at - 120)
  return present.length === 1 && present[0].from > scrapeSeconds ? `${instance} fault ${present[0].id}` : null
}

const said = ({ labels, status, annotations }: WebhookAlert): string =>
  `${labels['alertname']}, ${status}: ${annotations['summary']}`

/** Root causes with their messages, counted from the first of each, and how many messages have one that is known. */
export function rootsOf(
  webhooks: readonly Received[],
  runs: ReadonlyMap<string, Played>,
): { readonly roots: readonly Root[]; readonly known: number } {
  const byRoot = new Map<string, Received[]>()
  // A symptom stays that of what was there when it was first told.
  const rootOfAlert = new Map<string, string | null>()
  let known = 0
  for (const message of webhooks) {
    const { groupKey, alerts } = message.body as WebhookBody
    const roots = new Set<string>()
    for (const alert of alerts) {
      const key = `${groupKey}|${alert.fingerprint}`
      let root = rootOfAlert.get(key)
      if (root === undefined) {
        root = rootOf(alert, message.at, runs.get(alert.labels['instance']))
        rootOfAlert.set(key, root)
      }
      if (alert.status === 'resolved') rootOfAlert.delete(key)
      if (root !== null) roots.add(root)
    }
    if (roots.size > 0) known++
    for (const root of roots) byRoot.set(root, [...(byRoot.get(root) ?? []), message])
  }
  const roots = [...byRoot].map(([root, messages]) => ({
    root,
    messages: messages
      .filter(({ at }) => at < messages[0].at + rootSeconds)
      .map(({ at, body }) => ({ at: Math.round(at), says: (body as WebhookBody).alerts.map(said) })),
  }))
  return { roots, known }
}
