import { alertRoutes } from '../../../../alerts/notifications/routes.ts'
import { defaultSettings } from '../../../../alerts/settings.ts'
import { secondsOf } from '../evaluate.ts'

type Labels = Readonly<Record<string, string>>

/** Whether labels match all matchers of a route or an inhibition. */
export const matches = (labels: Labels, matchers: readonly string[]): boolean =>
  matchers.every((matcher) => {
    const [, name, operator, value] = /^(\w+)(=~|!~|!=|=)"(.*)"$/.exec(matcher)!
    const given = labels[name] ?? ''
    if (operator === '=') return given === value
    if (operator === '!=') return given !== value
    return new RegExp(`^(?:${value})$`).test(given) === (operator === '=~')
  })

const top = alertRoutes(defaultSettings)

/** The maximum of seconds from the end of an alert to the next check of its group. */
export function groupIntervalSeconds(labels: Labels): number {
  const route = top.routes!.find(({ matchers = [] }) => matches(labels, matchers)) ?? top
  return secondsOf(route.group_interval)
}
