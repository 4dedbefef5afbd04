import type { WebhookAlert, WebhookBody } from '../../inbox/message.ts'
import { beginning, scrapeSeconds } from '../play.ts'
import type { Played } from '../play.ts'
import type { Received } from './deliver.ts'
import { finding } from './finding.ts'
import type { Finding } from './finding.ts'

/** How messages about an incident stand to its own time: when they arrive, and what they say of it. */

/** The alerts that announce an incident and its end. */
export const announcesIncident = /^DcsimIncident(Major|Critical|OfUnknownBand)$/

/** A scrape, an evaluation and the longest `group_wait`: an incident that is announced was open this long ago. */
const announcedWithin = 20
const overWithin = 30
/** A publish and a scrape: what Prometheus last saw of an incident is as old as this. */
const seenWithin = scrapeSeconds + 2

const inSeconds: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1 }
const durationOf = (text: string): number =>
  [...text.matchAll(/(\d+)([dhms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * inSeconds[unit],
    0,
  )

/** Seconds of the run at a time of the day that lies within twelve hours of another. */
function atClock(text: string, near: number): number {
  const [hours, minutes, seconds] = text.split(':').map(Number)
  const clock = hours * 3600 + minutes * 60 + seconds - (beginning % 86_400)
  return clock + Math.round((near - clock) / 86_400) * 86_400
}

const isAround = (stated: number, true_: number): boolean => Math.abs(stated - true_) <= 2

/** Wrong times in the annotations of an alert about an incident. */
export function wrongTimes(
  { labels, annotations, status }: WebhookAlert,
  at: number,
  { facts, nearly }: Played,
): string[] {
  const { incident } = labels
  const began = facts.incidentsSince[incident]
  if (!announcesIncident.test(labels['alertname']) || began === undefined) return []
  const wrong: string[] = []
  const { since, lasted } = annotations
  if (!isAround(atClock(since, began), began)) wrong.push(`since ${since} is ${began.toFixed(0)} s`)
  const [, duration, from, to] = /^(.+), from ([\d:]+) to ([\d:]+) UTC$/.exec(lasted)!
  if (from !== since) wrong.push(`from ${from} is not ${since}`)
  const ended = atClock(to, began)
  if (!isAround(began + durationOf(duration), ended)) wrong.push(`${duration} is not from ${from} to ${to}`)
  const until = facts.incidentsUntil[incident]
  // An alert also ends where its incident is open, but has not been grave for ten minutes.
  const isAbout =
    nearly[labels['alertname']]?.[incident]?.some(([, last]) => last >= until - seenWithin) ?? true
  const isEnd = status === 'resolved' && until < at && isAbout
  if (ended > until + 2 || (isEnd && ended < until - seenWithin))
    wrong.push(`its end at ${ended.toFixed(0)} s is ${until} s`)
  return wrong
}

/** A message that an incident is open comes while it is, or was a moment ago; one that it is over, soon after its end. */
export function arrivals(
  webhooks: readonly Received[],
  runs: ReadonlyMap<string, Played>,
  lateWithin: (from: number, to: number) => number,
): Finding[] {
  const begun: string[] = []
  const over: string[] = []
  const total = { begun: 0, over: 0 }
  let worst = 0
  const known = new Set<string>()
  for (const { at, body } of webhooks) {
    for (const alert of (body as WebhookBody).alerts) {
      const { alertname, instance, incident } = alert.labels
      const played = runs.get(instance)
      if (played === undefined || !announcesIncident.test(alertname)) continue
      const until = played.facts.incidentsUntil[incident]
      const after = at - until - lateWithin(until, at)
      const told = `${instance} at ${at.toFixed(0)} s: ${alertname}, ${alert.status}: ${after.toFixed(0)} s after the end of incident ${incident}`
      const key = `${alertname} ${instance} ${incident} ${alert.status}`
      if (known.has(key) || until >= played.seconds) continue
      known.add(key)
      if (alert.status === 'firing') {
        total.begun++
        if (after > announcedWithin) begun.push(told)
      } else if (after > 0) {
        total.over++
        worst = Math.max(worst, after)
        if (after > overWithin) over.push(told)
      }
    }
  }
  const ends = finding(
    `the end of an incident is in a message within ${overWithin} s`,
    total.over,
    over,
    'are',
  )
  return [
    finding(
      `no incident is announced that has been over for ${announcedWithin} s, at speed 60`,
      total.begun,
      begun,
      'were open, or had just ended',
    ),
    { ...ends, found: `${ends.found}, at worst after ${worst.toFixed(1)} s` },
  ]
}
