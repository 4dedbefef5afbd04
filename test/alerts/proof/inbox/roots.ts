import type { WebhookAlert, WebhookBody } from '../../inbox/message.ts'
import { scrapeSeconds } from '../play.ts'
import type { Played } from '../play.ts'
import type { Received } from './deliver.ts'

/** The messages about one root cause in its first minutes, in chronological order. */
export interface Root {
  readonly root: string
  readonly messages: readonly { readonly at: number; readonly says: readonly string[] }[]
}

/** The time in seconds for which messages about a root cause are counted. */
export const rootSeconds = 600

/** Slow developments such as losses, credits and notices of termination have no single fault as their cause. */
const isSlow = (alertname: string, category: string): boolean =>
  ['money', 'work', 'mirror'].includes(category) ||
  ['DcsimCustomerAboutToLeave', 'DcsimSlaCreditsHigh'].includes(alertname)

/**
 * The fault behind an alert: that of its incident, or the only active one. With several active faults, the cause of a
 * symptom is unknown. Injected conditions have none. The first minutes of a fault from before its run are unknown.
 */
function rootOf({ labels, startsAt }: WebhookAlert, at: number, played: Played | undefined): string | null {
  const { instance, incident, alertname, category } = labels
  if (played === undefined || startsAt === '' || isSlow(alertname, category)) return null
  if (alertname in played.altered) return null
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

const summaryOf = ({ labels, status, annotations }: WebhookAlert): string =>
  `${labels['alertname']}, ${status}: ${annotations['summary']}`

/** Root causes with their messages, counted from the first one, and the number of messages with a known cause. */
export function rootsOf(
  webhooks: readonly Received[],
  runs: ReadonlyMap<string, Played>,
): { readonly roots: readonly Root[]; readonly known: number } {
  const byRoot = new Map<string, Received[]>()
  // A symptom keeps the root cause of its first notification.
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
      .map(({ at, body }) => ({ at: Math.round(at), says: (body as WebhookBody).alerts.map(summaryOf) })),
  }))
  return { roots, known }
}
