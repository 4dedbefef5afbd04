import { withIdentity } from './identity.ts'
import type { Alert, RuleGroup } from './rule.ts'
import { capacityRules } from './rules/capacity.ts'
import { clockRules } from './rules/clock.ts'
import { hardwareRules } from './rules/hardware.ts'
import { incidentRules } from './rules/incidents.ts'
import { mirrorRules } from './rules/mirror.ts'
import { moneyRules } from './rules/money.ts'
import { networkRules } from './rules/network.ts'
import { powerRules } from './rules/power.ts'
import { securityRules } from './rules/security.ts'
import { slaRules } from './rules/sla.ts'
import { trendRules } from './rules/trends.ts'
import { workRules } from './rules/work.ts'
import type { AlertSettings } from './settings.ts'

const subjects = [
  clockRules,
  incidentRules,
  slaRules,
  capacityRules,
  networkRules,
  securityRules,
  hardwareRules,
  powerRules,
  moneyRules,
  workRules,
  mirrorRules,
  trendRules,
] as const

/** An alert with the labels that an installation adds to identify targets, in its expression and its texts. */
function identified(alert: Alert, { identity }: AlertSettings): Alert {
  const { expr, annotations } = alert
  const { dashboard_url: _page, runbook_url: _runbook, ...texts } = annotations
  const named = Object.entries(texts).map(([name, text]) => [name, withIdentity(text, identity)])
  return {
    ...alert,
    expr: withIdentity(expr, identity),
    annotations: { ...annotations, ...Object.fromEntries(named) },
  }
}

/** All rules by subject, without the disabled alerts. */
export const ruleGroups = (settings: AlertSettings): RuleGroup[] =>
  subjects.map((rulesOf) => {
    const { subject, recordings, alerts } = rulesOf(settings)
    return {
      subject,
      recordings: recordings.map(({ record, expr, labels }) => ({
        record,
        expr: withIdentity(expr, settings.identity),
        labels,
      })),
      alerts: alerts
        .filter(({ alert }) => !settings.off.includes(alert))
        .map((alert) => identified(alert, settings)),
    }
  })
