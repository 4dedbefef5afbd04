import { ruleGroups } from './catalog.ts'
import type { RuleGroup } from './rule.ts'
import type { AlertSettings } from './settings.ts'

/** The default limit of Mimir. */
const rulesPerGroupMax = 20

/** The groups of a subject: recording rules and alerts, in separate groups if they exceed the limit of one. */
export function groupsOf(group: RuleGroup): (RuleGroup & { readonly name: string })[] {
  const { subject, recordings, alerts } = group
  const name = `dcsim-${subject}`
  if (recordings.length + alerts.length <= rulesPerGroupMax) return [{ ...group, name }]
  const parts = Array.from({ length: Math.ceil(alerts.length / rulesPerGroupMax) }, (_, part) => ({
    name: part === 0 ? name : `${name}-${part + 1}`,
    subject,
    recordings: [],
    alerts: alerts.slice(part * rulesPerGroupMax, (part + 1) * rulesPerGroupMax),
  }))
  return recordings.length === 0
    ? parts
    : [{ name: `${name}-recordings`, subject, recordings, alerts: [] }, ...parts]
}

/** A group in the format of Prometheus. */
const formatted = (
  { name, recordings, alerts }: ReturnType<typeof groupsOf>[number],
  interval: string | null,
): object => ({
  name,
  ...(interval !== null && { interval }),
  rules: [
    ...recordings.map(({ record, expr, labels }): object => ({
      record,
      expr,
      ...(Object.keys(labels).length > 0 && { labels }),
    })),
    ...alerts.map(({ alert, expr, for: forDuration, keepFiringFor, labels, annotations }): object => ({
      alert,
      expr,
      ...(forDuration !== null && { for: forDuration }),
      ...(keepFiringFor !== null && { keep_firing_for: keepFiringFor }),
      labels,
      annotations: { ...annotations },
    })),
  ],
})

/** The content of a rule file. Without an interval, its groups are evaluated at that of Prometheus. */
export const groupsFile = (
  group: RuleGroup,
  interval: string | null = null,
): { readonly groups: readonly object[] } => ({
  groups: groupsOf(group).map((one) => formatted(one, interval)),
})

/** The groups of subjects that have rules left. */
export const enabledGroups = (settings: AlertSettings): RuleGroup[] =>
  ruleGroups(settings).filter(({ recordings, alerts }) => recordings.length + alerts.length > 0)
