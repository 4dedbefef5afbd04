import type { Message, WebhookAlert, WebhookBody } from '../../inbox/message.ts'
import type { Played } from '../play.ts'
import type { BandAlerted } from '../verdict.ts'
import { claimHolds, falseOfFiring, falseOfResolved, keepFiringSecondsOf } from './message-claims.ts'
import type { Delivery, Received } from './deliver.ts'
import { statesWithin } from './facts.ts'
import type { Explained } from './explained.ts'
import { finding } from './finding.ts'
import type { Finding } from './finding.ts'
import { groupIntervalSeconds } from './group-interval.ts'
import { announcesIncident, arrivals } from './incident-times.ts'
import { rootSeconds, rootsOf } from './roots.ts'
import type { Root } from './roots.ts'

const bodyOf = ({ body }: Received): WebhookBody => body as WebhookBody
const firingOf = ({ alerts }: WebhookBody): readonly WebhookAlert[] =>
  alerts.filter(({ status }) => status === 'firing')

/** Of ntfy, the tag that is shown as a sign; its topic is of the severity only here. */
const saysSeverity = (channel: Message['channel'], body: string): boolean =>
  channel === 'ntfy'
    ? /"tags":\["(?:rotating_light|warning|white_check_mark)"\]/.test(body)
    : /CRITICAL|WARNING|RESOLVED|critical|warning|resolve/.test(body)

const longestMax = 1500
const toldWithin = 30
const rootMessagesMax = 3

export class InboxJudge {
  readonly #delivery: Delivery
  readonly #webhooks: readonly Received[]
  readonly #runs: ReadonlyMap<string, Played>
  readonly #explained: Explained

  constructor(delivery: Delivery, runs: readonly Played[], explained: Explained = () => false) {
    this.#explained = explained
    this.#delivery = delivery
    this.#runs = new Map(runs.map((played) => [played.run, played]))
    // Messages after the end of their run are ignored: its last alerts remain open.
    this.#webhooks = delivery.received.filter(
      (message) =>
        message.channel === 'webhook' &&
        message.at <= (this.#runs.get(bodyOf(message).groupLabels['instance'])?.seconds ?? Infinity),
    )
  }

  findings(grave: readonly BandAlerted[]): Finding[] {
    return [
      this.#inTime(grave),
      this.#true(),
      this.#ended(),
      this.#few(),
      this.#noPageForWatch(),
      this.#legible(),
      ...arrivals(this.#webhooks, this.#runs, (from, to) => this.#lateWithin(from, to)),
    ]
  }

  get messages(): number {
    return this.#webhooks.length
  }

  #inTime(grave: readonly BandAlerted[]): Finding {
    const firingAt = new Map<string, number[]>()
    const resolvedAt = new Map<string, number[]>()
    const pages = new Map<string, number[]>()
    for (const message of this.#webhooks) {
      for (const { labels, status } of bodyOf(message).alerts) {
        if (!announcesIncident.test(labels['alertname'])) continue
        const key = `${labels['instance']} ${labels['incident']}`
        const known = status === 'firing' ? firingAt : resolvedAt
        known.set(key, [...(known.get(key) ?? []), message.at])
        const isPage = status === 'firing' && labels['severity'] === 'critical'
        if (isPage) pages.set(key, [...(pages.get(key) ?? []), message.at])
      }
    }
    // Notifications after the end of their run cannot be checked.
    const due = grave.filter(
      ({ isBrief, run, reached }) =>
        !isBrief && reached + toldWithin <= (this.#runs.get(run)?.seconds ?? Infinity),
    )
    // The first scrape with the incident is the next one, a second after the previous evaluation.
    const seenAt = (reached: number): number => Math.ceil((reached - 1) / 5) * 5 + 1
    const delayOf = ({ run, incident, reached }: BandAlerted): number => {
      const sent = Math.min(
        ...(firingAt.get(`${run} ${incident}`) ?? []).filter((at) => at >= reached),
        Infinity,
      )
      return sent - seenAt(reached) - this.#lateWithin(reached, sent)
    }
    // An incident that was notified before, and not reported as resolved since, is known.
    const isKnown = ({ run, incident, reached, band }: BandAlerted): boolean => {
      const before = (those: readonly number[] = []): number => those.findLast((at) => at < reached) ?? -1
      const key = `${run} ${incident}`
      const sent = band === 'Critical' ? pages : firingAt
      return before(sent.get(key)) > before(resolvedAt.get(key))
    }
    const unknown = due.filter((one) => !isKnown(one))
    const late = unknown.filter((one) => delayOf(one) > toldWithin)
    const worst = Math.max(0, ...unknown.map(delayOf).filter(Number.isFinite))
    const result = finding(
      `every incident that is Major or Critical for two scrapes is in a message within ${toldWithin} s of the scrape that can see it`,
      due.length,
      late.map(
        (one) => `${one.run}: incident ${one.incident}, ${one.band} at ${one.reached} s: ${delayOf(one)} s`,
      ),
      'are',
    )
    return { ...result, found: `${result.found}, at worst after ${worst.toFixed(1)} s` }
  }

  /** The largest delay of posts by a busy machine within an interval: weeks pass in minutes here. */
  #lateWithin(from: number, to: number): number {
    const late = [...this.#delivery.lateAt].filter(([at]) => at >= from && at <= Math.min(to, from + 30))
    return Math.max(0, ...late.map(([, seconds]) => seconds))
  }

  #ofRun(alert: WebhookAlert): Played | undefined {
    return this.#runs.get(alert.labels['instance'])
  }

  #true(): Finding {
    let total = 0
    const offenders: string[] = []
    for (const message of this.#webhooks) {
      for (const alert of bodyOf(message).alerts) {
        const played = this.#ofRun(alert)
        if (played === undefined) continue
        total++
        const wrong =
          alert.status === 'firing'
            ? falseOfFiring(alert, message.at, played, this.#delivery.lateness)
            : falseOfResolved(alert, message.at, played)
        if (wrong.length > 0) {
          const { alertname, instance } = alert.labels
          offenders.push(
            `${instance} at ${message.at.toFixed(0)} s: ${alertname}, ${alert.status}: ${wrong.join('; ')}: ${alert.annotations['summary']}`,
          )
        }
      }
    }
    return finding(
      'what a message says of an alert is true when it arrives: the claim, names, customers, money',
      total,
      offenders,
      'lines are',
    )
  }

  /** Each alert that was notified as firing is notified as resolved, unless the run ends first. */
  #ended(): Finding {
    const open = new Map<string, { readonly at: number; readonly alert: WebhookAlert }>()
    let total = 0
    const offenders: string[] = []
    for (const message of this.#webhooks) {
      const body = bodyOf(message)
      for (const alert of body.alerts) {
        const key = `${body.groupKey}|${alert.fingerprint}`
        if (alert.status === 'firing') {
          if (!open.has(key)) total++
          open.set(key, { at: message.at, alert })
        } else open.delete(key)
      }
    }
    for (const { at, alert } of open.values()) {
      const played = this.#ofRun(alert)
      if (played === undefined || at > played.seconds - 600) continue
      // Alertmanager sends nothing about an inhibited alert, not even its end.
      if (this.#explained(alert.labels, at)) continue
      // The state of an alert after the last check of its group is unknown.
      if (!claimHolds(alert, played.seconds, played, groupIntervalSeconds(alert.labels))) {
        offenders.push(
          `${alert.labels['instance']} at ${at.toFixed(0)} s: ${alert.labels['alertname']}: ${alert.annotations['summary']}`,
        )
      }
    }
    return finding(
      'an alert that ended is reported as over, unless one that explains it was firing then',
      total,
      offenders,
      'reported alerts are over or still fire',
    )
  }

  /** The number of messages about one root cause, in the first minutes. */
  #few(): Finding {
    const { roots, known } = rootsOf(this.#webhooks, this.#runs)
    const offenders = roots.filter(({ messages }) => messages.length > rootMessagesMax)
    const most = Math.max(0, ...roots.map(({ messages }) => messages.length))
    const result = finding(
      `a root cause is in at most ${rootMessagesMax} messages in its first ${rootSeconds / 60} minutes`,
      roots.length,
      offenders.map(({ root, messages }) => {
        const names = messages.flatMap(({ says }) => says.map((line) => line.split(',')[0]))
        return `${root}: ${messages.length} messages of ${[...new Set(names)].join(', ')}`
      }),
      'are',
    )
    const of = `the cause of ${known} of ${this.#webhooks.length} messages is known`
    return { ...result, found: `${result.found}, at most ${most}; ${of}` }
  }

  get roots(): readonly Root[] {
    return rootsOf(this.#webhooks, this.#runs).roots
  }

  #noPageForWatch(): Finding {
    let total = 0
    const offenders: string[] = []
    for (const message of this.#webhooks) {
      for (const alert of firingOf(bodyOf(message))) {
        const played = this.#ofRun(alert)
        const { severity, incident, alertname, instance } = alert.labels
        if (played === undefined || played.foreign || severity !== 'critical') continue
        if (alertname.startsWith('DcsimMirror')) continue
        const from = message.at - 70 - keepFiringSecondsOf(alertname)
        // Faults from before the run are unknown.
        if (from < 0) continue
        total++
        const states = Object.entries(played.facts.incidents)
          .filter(([id]) => incident === undefined || id === incident)
          .flatMap(([, those]) => statesWithin(those, from, message.at))
        if (!states.some(([, band]) => band !== 'Watch')) {
          offenders.push(
            `${instance} at ${message.at.toFixed(0)} s: ${alertname}: ${alert.annotations['summary']}`,
          )
        }
      }
    }
    return finding('no page where the world has nothing graver than Watch', total, offenders, 'pages have')
  }

  /** Every channel, in its own format: within length limits, with the severity, without templates or placeholders. */
  #legible(): Finding {
    const people = this.#delivery.received.filter(
      ({ channel }) => channel !== 'webhook' && channel !== 'watchdog',
    )
    const problemsOf = ({ title, text, body, channel }: Message): string[] => {
      // The addresses of links are not shown.
      const whole = `${title}\n${text}`.replaceAll(/https?:\/\/[^\s"|)>]+/g, '')
      return [
        whole.length > longestMax ? `${whole.length} characters` : '',
        saysSeverity(channel, JSON.stringify(body)) ? '' : 'no severity',
        /<no value>|\{\{|%!|NaN|\bundefined\b/.test(whole) ? 'a placeholder' : '',
        channel !== 'pagerduty' && title.trim() === '' ? 'no title' : '',
      ].filter((problem) => problem !== '')
    }
    const offenders = people.flatMap((message) => {
      const problems = problemsOf(message)
      return problems.length === 0 ? [] : [`${message.channel}: ${problems.join(', ')}: ${message.title}`]
    })
    return finding(
      `messages of all channels are read by their format, have ${longestMax} characters at most and a severity`,
      people.length,
      [...offenders, ...this.#delivery.errors],
      'are',
    )
  }
}
