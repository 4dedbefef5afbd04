import { clockTime } from '../../time.ts'
import type { IncidentContext } from '../context.ts'
import type { Cause, Incident } from '../model.ts'
import { addTimelineEntry } from '../writers/timeline.ts'
import { causeNoun } from '../wording.ts'

/** Causes that are ruled out, and those that are found all the same. */

/** Causes that are ruled out at once and named in the timeline. */
const nounsListedMax = 5
const ruledOutPrefix = 'Ruled out: '

/** Rules out causes, in one entry of the timeline. */
export function ruleOut(
  context: Pick<IncidentContext, 'world' | 'catalog'>,
  incident: Incident,
  causes: readonly Cause[],
): void {
  if (causes.length === 0) return
  for (const cause of causes) Object.assign(cause, { cleared: true, confidence: 0 })
  const nouns = causes.map(({ kind, target }) => causeNoun(context, kind, target))
  const listed = nouns.slice(0, nounsListedMax).join('; ')
  const others = nouns.length - nounsListedMax
  const rest = others <= 0 ? '' : `; and ${others} more`
  addTimelineEntry(context.world, incident, 'CauseCleared', `${ruledOutPrefix}${listed}${rest}.`)
}

/** Why a cause is found that the timeline has ruled out; empty for others. */
export function takenBack(
  context: Pick<IncidentContext, 'world'>,
  { timeline }: Incident,
  { kind, target }: Pick<Cause, 'kind' | 'target'>,
): string {
  const noun = causeNoun(context, kind, target)
  const ruledOut = timeline.findLast(
    ({ kind, detail }) =>
      kind === 'CauseCleared' && detail.slice(ruledOutPrefix.length, -1).split('; ').includes(noun),
  )
  return ruledOut === undefined ? '' : ` It was ruled out at ${clockTime(ruledOut.at)}, before it showed.`
}
