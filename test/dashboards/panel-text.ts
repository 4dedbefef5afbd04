import type { DashboardJson, Link, Override, Panel, Target } from './dashboard-json.ts'

/** Names of colors, stated independently: a changed color of a state is noticed. */
const colorNames: Readonly<Record<string, string>> = {
  '#0072B2': 'blue',
  '#56B4E9': 'sky',
  '#009E73': 'green',
  '#F0E442': 'yellow',
  '#E69F00': 'orange',
  '#D55E00': 'vermilion',
  '#CC79A7': 'purple',
  '#999999': 'gray',
  '#C98200': 'dark orange',
  '#C84B00': 'dark vermilion',
  '#8C8C8C': 'quiet',
  '#3A93D4': 'dark sky',
  '#A89500': 'dark yellow',
  '#1b6e58': 'dark green',
  '#B8860B': 'ochre',
}
const colorName = (color: string): string => colorNames[color] ?? color

/** The first argument of a call whose parenthesis opens at an index, and the index after the call. */
function firstArgument(text: string, open: number): [argument: string, end: number] {
  let depth = 0
  let comma = -1
  for (let at = open; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = text.indexOf('"', at + 1)
    else if ('([{'.includes(character)) depth += 1
    else if (')]}'.includes(character)) {
      depth -= 1
      if (depth === 0) return [text.slice(open + 1, comma === -1 ? at : comma), at + 1]
    } else if (character === ',' && depth === 1 && comma === -1) comma = at
  }
  throw new Error(`A call does not end: ${text}`)
}

const relabel = 'label_replace'

/** The calculation of a query, without the selected session and without words and names for labels. */
export function formula(expr: string): string {
  let text = expr
    .replaceAll(/job=~"\$job", instance=~"\$instance", session="\$session"(?:, )?/g, '')
    .replaceAll('{}', '')
    .replaceAll(/job, instance, session(?:, )?/g, '')
    .replaceAll('by () ', '')
    .replaceAll('dcsim_', '')
  for (let at = text.indexOf(relabel); at !== -1; at = text.indexOf(relabel)) {
    const [argument, end] = firstArgument(text, at + relabel.length)
    text = text.slice(0, at) + argument + text.slice(end)
  }
  return text
    .replaceAll(/ \* on \([^)]*\) group_left \([^)]*\) max by \([^)]*\) \([^()]*\)/g, '')
    .replaceAll(/\s+/g, ' ')
}

interface Step {
  readonly value: number | null
  readonly color: string
}
interface Shown {
  readonly text?: string
  readonly color?: string
}
interface Mapping {
  readonly options: Readonly<Record<string, Shown>> & { readonly pattern?: string; readonly result?: Shown }
}

const stepsText = (steps: readonly Step[]): string =>
  steps
    .map(({ value, color }) => (value === null ? colorName(color) : `${value} ${colorName(color)}`))
    .join(', ')

const mappingText = (mappings: readonly Mapping[]): string =>
  mappings
    .flatMap(({ options }) => Object.values<Shown>(options))
    .filter(({ text, color }) => text !== undefined && color !== undefined)
    .map(({ text, color }) => `${text} ${colorName(color!)}`)
    .join(', ')

/** Bounds of the axis, decimals and the width of a column. */
const measures = { decimals: 'decimals', min: 'from', max: 'to', 'custom.width': 'width' } as const

/** The display options of a panel or a column: unit, bounds, thresholds, colors of states. */
function looks(properties: ReadonlyMap<string, unknown>): string[] {
  const unit = properties.get('unit') as string | undefined
  const steps = (properties.get('thresholds') as { readonly steps: readonly Step[] } | undefined)?.steps ?? []
  const mapped = mappingText((properties.get('mappings') ?? []) as readonly Mapping[])
  const fixed = (properties.get('color') as { readonly fixedColor?: string } | undefined)?.fixedColor
  return [
    ...(unit === undefined ? [] : [unit]),
    ...Object.entries(measures)
      .filter(([id]) => typeof properties.get(id) === 'number')
      .map(([id, word]) => `${word} ${String(properties.get(id))}`),
    ...(steps.length > 1 ? [stepsText(steps)] : []),
    ...(mapped === '' ? [] : [mapped]),
    ...(fixed === undefined ? [] : [colorName(fixed)]),
  ]
}

interface GraphStyle {
  readonly stacking?: { readonly mode: string }
  readonly drawStyle?: string
}

/** How a graph draws its series, where not as separate lines. */
function drawnAs({ stacking, drawStyle }: GraphStyle): string[] {
  return [
    ...(stacking === undefined || stacking.mode === 'none' ? [] : ['stacked']),
    ...(drawStyle === undefined || drawStyle === 'line' ? [] : [drawStyle]),
  ]
}

function columnText({ matcher, properties }: Override): string[] {
  const byId = new Map(properties.map(({ id, value }) => [id, value]))
  const title = byId.get('displayName') as string | undefined
  const seen = looks(byId)
  if (seen.length === 0 && title === undefined) return []
  const named =
    title === undefined || title === matcher.options ? matcher.options : `${matcher.options} = ${title}`
  return [`  ${[named, ...seen].join(' | ')}`]
}

const questionText = ({ expr, url, legendFormat, instant }: Target): string =>
  expr === undefined
    ? `  ${url ?? ''}`
    : `  ${formula(expr)}${legendFormat === undefined ? '' : `  → ${legendFormat}`}${instant === true ? ' (now)' : ''}`

/** The target of a link, with the variables that it sets. */
function linkText({ title, url = '', tags = [] }: Link): string {
  const [, page = url] = /^\/d\/dcsim-(\w+)/.exec(url) ?? []
  const set = Array.from(url.matchAll(/var-([\w-]+)=([^&]*)/g), ([, name, value]) => `${name}=${value}`)
  return [`${title} → ${page}`, ...set, ...tags].join(' ')
}

interface Organized {
  readonly excludeByName: Readonly<Record<string, boolean>>
  readonly indexByName: Readonly<Record<string, number>>
}

/** The columns of a table in their order, those that are hidden and those left out. */
function columnOrder({ transformations = [], fieldConfig, options }: Panel): string[] {
  const organized = transformations.find(({ id }) => id === 'organize')?.options as Organized | undefined
  const hidden = (fieldConfig?.overrides ?? [])
    .filter(({ properties }) => properties.some(({ id, value }) => id === 'custom.hidden' && value === true))
    .map(({ matcher }) => matcher.options)
  const { indexByName = {}, excludeByName = {} } = organized ?? {}
  const order = Object.keys(indexByName).toSorted((one, other) => indexByName[one] - indexByName[other])
  const { sortBy = [] } = (options ?? {}) as { sortBy?: { displayName: string; desc: boolean }[] }
  const sorted = sortBy.map(({ displayName, desc }) => `${desc ? '-' : ''}${displayName}`)
  return [
    ['columns', order],
    ['hidden', hidden],
    ['left out', Object.keys(excludeByName)],
    ['sorted by', sorted],
  ]
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `  ${String(what)}: ${(names as string[]).join(', ')}`)
}

const linksOf = ({ fieldConfig, links = [] }: Panel): readonly Link[] => [
  ...links,
  ...(fieldConfig?.defaults.links ?? []),
  ...(fieldConfig?.overrides ?? []).flatMap(({ properties }) =>
    properties.filter(({ id }) => id === 'links').flatMap(({ value }) => value as Link[]),
  ),
]

/** The review text of a panel: its title, size, unit, colors and calculations, the same for its columns, and its links. */
export function panelText(panel: Panel): string {
  const { title, type, fieldConfig, gridPos, targets = [], options } = panel
  const background = options?.root?.background
  const defaults = new Map(Object.entries(fieldConfig?.defaults ?? {}))
  const custom = (defaults.get('custom') ?? {}) as GraphStyle
  return [
    [title, type, `${gridPos.w} × ${gridPos.h}`, ...drawnAs(custom), ...looks(defaults)].join(' | '),
    ...targets.map(questionText),
    ...(background === undefined ? [] : [`  background: ${background.image.field}, ${background.size}`]),
    ...columnOrder(panel),
    ...(fieldConfig?.overrides ?? []).flatMap(columnText),
    ...linksOf(panel).map((link) => `  ${linkText(link)}`),
  ].join('\n')
}

/** The review text of a page: its range, variables, annotations and links. */
export function pageText({ templating, annotations, links, time, refresh }: DashboardJson): string {
  const variables = templating.list.map(({ name, type, query, regex = '', multi, includeAll }) =>
    [name, type, formula(query), regex, multi === true && 'several', includeAll === true && 'all']
      .filter((part) => part !== '' && part !== false)
      .join(' | '),
  )
  const marks = annotations.list.map(
    ({ name, expr, iconColor }) => `${name} | ${colorName(iconColor)}\n  ${formula(expr)}`,
  )
  return [`${time.from}, every ${refresh}`, ...variables, ...marks, ...links.map(linkText)].join('\n')
}
