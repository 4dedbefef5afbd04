import { inhibitions } from '../../../../alerts/notifications/inhibitions.ts'
import type { Alert } from '../../../../alerts/rule.ts'
import { defaultSettings } from '../../../../alerts/settings.ts'
import type { Fired } from '../../../../src/practice/grading/evaluate.ts'
import { groupIntervalSeconds, matches } from './group-interval.ts'

type Labels = Readonly<Record<string, string>>

/** Whether an alert that was sent before was inhibited by another one when it ended. */
export type Explained = (labels: Labels, at: number) => boolean

/** A firing series, with the labels that Alertmanager receives. */
interface Firing extends Pick<Fired, 'spans'> {
  readonly labels: Labels
}

const rules = inhibitions(defaultSettings)

export function explainedBy(fired: readonly (readonly [Alert, readonly Fired[]])[]): Explained {
  const all: Firing[] = fired.flatMap(([{ alert, labels }, those]) =>
    those.map((one) => ({ labels: { ...one.labels, ...labels, alertname: alert }, spans: one.spans })),
  )
  const byAlert = Map.groupBy(all, ({ labels }) => labels['alertname'])
  return (labels, at) => {
    const within = groupIntervalSeconds(labels)
    const own = (byAlert.get(labels['alertname']) ?? []).filter((one) =>
      // Labels with templates are not expanded here.
      Object.entries(one.labels).every(([name, value]) => value.includes('{{') || labels[name] === value),
    )
    const ends = own.flatMap(({ spans }) => spans).filter(([from, to]) => from <= at && to >= at - within)
    const end = ends.at(-1)?.[1]
    if (end === undefined) return false
    const holdsAt = (one: Firing): boolean => one.spans.some(([from, to]) => from <= end + within && to > end)
    return rules
      .filter(({ target_matchers: target }) => matches(labels, target))
      .some(({ source_matchers: source, equal }) =>
        all.some(
          (one) =>
            matches(one.labels, source) &&
            equal.every((label) => (one.labels[label] ?? '') === (labels[label] ?? '')) &&
            holdsAt(one),
        ),
      )
  }
}
