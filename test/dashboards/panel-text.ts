import type { Override, Panel, Target } from './dashboard-json.ts'

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
interface Mapping {
  readonly options: Readonly<Record<string, { readonly text?: string; readonly color?: string }>>
}

const stepsText = (steps: readonly Step[]): string =>
  steps
    .map(({ value, color }) => (value === null ? colorName(color) : `${value} ${colorName(color)}`))
    .join(', ')

const mappingText = (mappings: readonly Mapping[]): string =>
  mappings
    .flatMap(({ options }) => Object.values(options))
    .filter(({ text, color }) => text !== undefined && color !== undefined)
    .map(({ text, color }) => `${text} ${colorName(color!)}`)
    .join(', ')

/** The display options of a panel or a column: unit, thresholds, colors of states. */
function looks(properties: ReadonlyMap<string, unknown>): string[] {
  const unit = properties.get('unit') as string | undefined
  const steps = (properties.get('thresholds') as { readonly steps: readonly Step[] } | undefined)?.steps ?? []
  const mapped = mappingText((properties.get('mappings') ?? []) as readonly Mapping[])
  const fixed = (properties.get('color') as { readonly fixedColor?: string } | undefined)?.fixedColor
  return [
    ...(unit === undefined ? [] : [unit]),
    ...(steps.length > 1 ? [stepsText(steps)] : []),
    ...(mapped === '' ? [] : [mapped]),
    ...(fixed === undefined ? [] : [colorName(fixed)]),
  ]
}

function columnText({ matcher, properties }: Override): string[] {
  const byId = new Map(properties.map(({ id, value }) => [id, value]))
  const title = byId.get('displayName') as string | undefined
  const seen = looks(byId)
  if (seen.length === 0) return []
  const named =
    title === undefined || title === matcher.options ? matcher.options : `${matcher.options} = ${title}`
  return [`  ${[named, ...seen].join(' | ')}`]
}

const questionText = ({ expr, url, legendFormat, instant }: Target): string =>
  expr === undefined
    ? `  ${url ?? ''}`
    : `  ${formula(expr)}${legendFormat === undefined ? '' : `  → ${legendFormat}`}${instant === true ? ' (now)' : ''}`

/** The review text of a panel: its title, unit, colors and calculations, and the same for its columns. */
export function panelText({ title, type, fieldConfig, targets = [] }: Panel): string {
  const defaults = new Map(Object.entries(fieldConfig?.defaults ?? {}))
  return [
    [title, type, ...looks(defaults)].join(' | '),
    ...targets.map(questionText),
    ...(fieldConfig?.overrides ?? []).flatMap(columnText),
  ].join('\n')
}
