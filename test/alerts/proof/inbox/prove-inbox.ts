import { join } from 'node:path'
import { findAlertmanager } from '../../inbox/program.ts'
import type { Alert } from '../../../../alerts/rule.ts'
import type { Fired } from '../../../../src/practice/grading/evaluate.ts'
import type { Played } from '../play.ts'
import { consolesIn } from '../prometheus.ts'
import type { PastPrometheus } from '../prometheus.ts'
import type { BandAlerted } from '../verdict.ts'
import { deliver } from './deliver.ts'
import type { Received } from './deliver.ts'
import { explainedBy } from './explained.ts'
import { Expander } from './expand.ts'
import { InboxJudge } from './judge.ts'
import type { Finding } from './finding.ts'
import { postsOf } from './posts.ts'
import type { Root } from './roots.ts'

export interface InboxProof {
  readonly findings: readonly Finding[]
  readonly messages: number
  readonly received: readonly Received[]
  /** Root causes with the messages of their first minutes. */
  readonly roots: readonly Root[]
}

interface InboxOptions {
  readonly folder: string
  /** The factor by which posts are faster than in real time. */
  readonly pace: number
  readonly tell: (line: string) => void
}

/** Sends the alerts through Alertmanager with the shipped configuration, and checks the messages. */
export async function proveInbox(
  prometheus: PastPrometheus,
  fired: readonly (readonly [Alert, readonly Fired[]])[],
  runs: readonly Played[],
  grave: readonly BandAlerted[],
  { folder, pace, tell }: InboxOptions,
): Promise<InboxProof> {
  const programs = findAlertmanager()
  if (programs === null) throw new Error('there is no Alertmanager to send messages with')
  const until = Math.max(...runs.map(({ seconds }) => seconds))
  const endOf = new Map(runs.map(({ run, seconds }) => [run, seconds]))
  const posts = fired
    .flatMap(([rule, those]) => postsOf(rule, those, until))
    // The truth of a run is unknown after its end.
    .filter(({ at, labels }) => at <= (endOf.get(labels['instance']) ?? until))
    .toSorted((one, other) => one.at - other.at)
  tell(`fills in the texts of ${posts.length} posts`)
  const texts = await new Expander(prometheus, consolesIn(folder)).expand(posts)
  tell(`posts to Alertmanager for ${Math.ceil(until / pace / 60)} minutes, ${pace} times as fast as it came`)
  const delivery = await deliver(
    posts.map((post, index) => {
      const labels = { ...post.labels, ...texts[index].labels }
      return Object.assign(post, { texts: { labels, annotations: texts[index].annotations } })
    }),
    { programs, folder: join(folder, 'inbox'), pace },
  )
  tell(`posts were ${delivery.lateness.toFixed(1)} s late at worst`)
  const judge = new InboxJudge(delivery, runs, explainedBy(fired))
  return {
    findings: judge.findings(grave),
    messages: judge.messages,
    received: delivery.received,
    roots: judge.roots,
  }
}
