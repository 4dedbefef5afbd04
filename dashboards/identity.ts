import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { withIdentity } from '../alerts/identity.ts'
import { metric } from '../promql/expressions.ts'
import { selected } from './queries/series.ts'
import { identityVariable } from './layout/variables.ts'

/**
 * Labels that an installation adds to those that identify a target, such as `cluster`. Dashboards are written without
 * them; the labels of a target are always listed in one form, after which these are inserted.
 */

/** The matchers of the selected targets, without a metric. */
const chosen = metric('up', selected).text.slice('up{'.length, -'}'.length)
const chosenInLinks = '${session:queryparam}'

type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json }

function identifiedText(text: string, added: readonly string[]): string {
  const matchers = added.map((label) => `, ${label}="$${label}"`).join('')
  const links = added.map((label) => `&\${${label}:queryparam}`).join('')
  return withIdentity(text, added)
    .replaceAll(chosen, () => chosen + matchers)
    .replaceAll(chosenInLinks, () => chosenInLinks + links)
}

/** An object with the names of columns that tables hide. */
const leftOut = (added: readonly string[]): Record<string, boolean> =>
  Object.fromEntries(added.map((label) => [label, true]))

function identifiedValue(value: Json, added: readonly string[]): Json {
  if (typeof value === 'string') return identifiedText(value, added)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => identifiedValue(item, added))
  const members = Object.entries(value).map(([key, member]) => [key, identifiedValue(member, added)] as const)
  return {
    ...Object.fromEntries(members),
    ...('session' in value && value['session'] === true && leftOut(added)),
  }
}

/** A dashboard with a variable for each of these labels, which all its queries use. */
export function identified(model: Dashboard, added: readonly string[]): Dashboard {
  if (added.length === 0) return model
  const dashboard = identifiedValue(model as unknown as Json, added) as unknown as Dashboard
  const list = dashboard.templating.list ?? []
  const after = list.findIndex(({ name }) => name === 'instance') + 1
  // The dashboard that compares sessions shows all values.
  const choosesOne = list.some(({ name }) => name === 'session')
  const variables = choosesOne ? added.map((label, at) => identityVariable(label, added.slice(0, at))) : []
  return {
    ...dashboard,
    templating: { ...dashboard.templating, list: list.toSpliced(after, 0, ...variables) },
  }
}
