import type { Panel } from '../dashboard-json.ts'
import type { Field, Frame, Grafana } from './grafana.ts'

/** Checks a panel for readability problems. */

/** Identifiers of the contract and of code that were not replaced by words, such as `TrafficFlood` or `no_vcpu`. */
const enumWord = /\b(?:[A-Z][a-z]+){2,}\b|\b[a-z]+_[a-z_]+\b/
/** An id in place of a name, such as `Switch/28`. */
const bareId = /\b(?:Switch|Gateway|Appliance|Host|Customer|Link|Upstream)\/\d+/
const brokenFigure = /NaN|∞|Infinity|undefined|null|\[object|\{\{|\$\{/

/** Names of vendors and models are not identifiers. */
const isName = (column: string): boolean =>
  /^(?:Model|Name|Version|Node|Session|Instance|Source)$/.test(column)

function wrongText(text: string, column = ''): string | undefined {
  if (brokenFigure.test(text)) return `broken “${text}”`
  if (bareId.test(text)) return `an id: “${text}”`
  const found = isName(column) ? null : enumWord.exec(text)
  return found === null ? undefined : `not in words: “${found[0]}”`
}

const duplicates = (texts: readonly string[]): string[] => [
  ...new Set(texts.filter((text, at) => texts.indexOf(text) !== at)),
]

/** A column whose title is the name of its label. */
const isRaw = (title: string): boolean => /^[a-z_]+$|^Value|^Time$/.test(title)

function wrongsOfTable(grafana: Grafana, frames: readonly Frame[]): string[] {
  if (frames.length > 1) return [`${frames.length} tables in one: only the first is seen`]
  if (frames.length === 0) return []
  const { columns, rows } = grafana.table(frames[0])
  const cells = rows.flatMap((row) => row.map(({ text }, at) => wrongText(text, columns[at])))
  const nameless = rows.filter(([first]) => first.isEmpty).length
  const empty = columns.filter((_, at) => rows.length > 0 && rows.every((row) => row[at].isEmpty))
  return [
    ...columns.filter(isRaw).map((title) => `a column without a title: ${title}`),
    ...duplicates(columns).map((title) => `two columns ${title}`),
    ...(nameless > 0 ? [`${nameless} rows without their first cell`] : []),
    ...empty.map((title) => `nothing in column ${title}`),
    ...cells.filter((wrong) => wrong !== undefined),
  ]
}

const valuesOf = ({ fields }: Frame): Field[] => fields.filter(({ name }) => name !== 'Time')

const mostBeside = 30

function wrongsOfLines(grafana: Grafana, panel: Panel, frames: readonly Frame[]): string[] {
  const names = frames.flatMap((frame) =>
    valuesOf(frame).map((field) => grafana.nameOf(field, frame, frames)),
  )
  const hasLegend = panel.options?.legend?.showLegend !== false
  return [
    ...names.map((name) => wrongText(name)).filter((wrong) => wrong !== undefined),
    ...names.filter((name) => name === '' || name === 'Value').map(() => 'a line without a name'),
    ...duplicates(names).map((name) => `two lines “${name}”`),
    ...(hasLegend && names.length > mostBeside ? [`${names.length} lines with a legend`] : []),
  ]
}

function wrongsOfStates(grafana: Grafana, frames: readonly Frame[]): string[] {
  const values = frames.flatMap((frame) => valuesOf(frame))
  const wrongs = values.flatMap((field) =>
    [...new Set(field.values)]
      .filter((value) => value !== null)
      .map((value) => grafana.shown(field, value).text)
      .filter((text) => /^-?[\d.]+/.test(text) || brokenFigure.test(text))
      .map((text) => `a state without a word: ${text}`),
  )
  return [...wrongs, ...wrongsOfLines(grafana, {} as Panel, frames)]
}

const column = (frame: Frame, name: string): unknown[] =>
  frame.fields.find((field) => field.name === name)?.values ?? []

/** The canvas puts the last text of the field into `url("…")`, below Grafana's own address unless it contains `:/`. */
function wrongsOfPicture({ options }: Panel, frames: readonly Frame[]): string[] {
  const { field } = options!.root!.background.image
  const address = frames.flatMap((frame) => column(frame, field)).findLast((value) => value !== null)
  if (typeof address !== 'string') return [`no field ${field} for the background`]
  return address.indexOf(':/') > 0 && !/["\\\n]/.test(address) ? [] : ['an address that the canvas changes']
}

const wrongsOfFigures = (grafana: Grafana, panel: Panel, frames: readonly Frame[]): string[] =>
  grafana
    .figures(panel, frames)
    .flatMap(({ title, text }) => [wrongText(title), wrongText(text)])
    .filter((wrong) => wrong !== undefined)

/** The readability problems of a panel; of similar ones only the first. */
export async function readabilityProblems(
  grafana: Grafana,
  panel: Panel,
  frames: readonly Frame[],
): Promise<string[]> {
  const drawn = await grafana.drawn(panel, frames)
  return [...new Set(wrongsOf(grafana, panel, drawn))]
}

function wrongsOf(grafana: Grafana, panel: Panel, drawn: readonly Frame[]): string[] {
  switch (panel.type) {
    case 'table':
      return wrongsOfTable(grafana, drawn)
    case 'state-timeline':
    case 'status-history':
      return wrongsOfStates(grafana, drawn)
    case 'heatmap':
      // It shows a count without names.
      return []
    case 'canvas':
      return wrongsOfPicture(panel, drawn)
    case 'stat':
    case 'gauge':
    case 'bargauge':
      return wrongsOfFigures(grafana, panel, drawn)
    default:
      return wrongsOfLines(grafana, panel, drawn)
  }
}
