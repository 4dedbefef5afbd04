import type { Variable } from './dashboard-json.ts'

/** Values for Grafana's own variables. */
const own: Readonly<Record<string, string>> = {
  __rate_interval: '10s',
  __range: '60s',
  __interval: '5s',
  __from: '0',
  __to: '4102444800000',
  search: '',
}

/** Replaces variables by values, as Grafana does for Prometheus. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::\w+)?\}|\$(\w+)/g, (whole, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? ''
    return { ...own, ...values }[name] ?? whole
  })
}

/** An option of a variable. */
interface Option {
  readonly value: string
  readonly text: string
}

const written = (metric: Readonly<Record<string, string>>): string => {
  const labels = Object.entries(metric).filter(([name]) => name !== '__name__')
  return `${metric['__name__']}{${labels.map(([name, value]) => `${name}="${value}"`).join(',')}} 1 1700000000000`
}

/** The selection with which a page opens: everything of a variable that selects several, otherwise the first option. */
export function selectedAmong({ multi, allValue }: Variable, options: readonly Option[]): string | undefined {
  if (multi !== true) return options[0]?.value
  return allValue ?? `(${options.map(({ value }) => value).join('|')})`
}

type Labels = Readonly<Record<string, string>>

/** The options of a variable, by the rules of Grafana's Prometheus data source. */
export async function optionsAmong(
  { query, regex }: Variable,
  find: (selector: string) => Promise<readonly Labels[]>,
  values: Readonly<Record<string, string>>,
): Promise<Option[]> {
  const [, name, argument] = /^(\w+)\((.+)\)$/.exec(filled(query, values))!
  if (name === 'label_values') {
    const [, selector, label] = /^(.+), (\w+)$/.exec(argument)!
    const found = await find(selector)
    return [...new Set(found.map((metric) => metric[label]))].map((value) => ({ value, text: value }))
  }
  const pattern = new RegExp(regex!.slice(1, -1))
  const series = await find(argument)
  return series.flatMap((metric) => {
    const groups = pattern.exec(written(metric))?.groups
    return groups === undefined ? [] : [{ value: groups['value'], text: groups['text'] ?? groups['value'] }]
  })
}
