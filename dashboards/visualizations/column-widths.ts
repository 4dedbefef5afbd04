import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { indent, panelWidth, phonePanelWidth } from '../style/screens.ts'
import type { GridPlace } from '../style/screens.ts'

/** Widths in pixels of columns without one: as many as a laptop has for each, in these limits; a text may be wider. */
const [widthMin, textMin, widthMax] = [60, 100, 140]
/** Between a panel and its table. */
export const tableFrame = 18

type FieldConfig = NonNullable<Panel['fieldConfig']>
type Override = FieldConfig['overrides'][number]

export const valueOf = ({ properties }: Override, id: string): unknown =>
  properties.find((property) => property.id === id)?.value

export const isColumn = (override: Override): boolean =>
  valueOf(override, 'displayName') !== undefined && valueOf(override, 'custom.hidden') !== true

export const columnTitle = (override: Override): string => String(valueOf(override, 'displayName'))

/** An arrow follows the last word of the title by which rows are sorted. */
const arrow = 30

/** Letters of 14 pixels, as measured; an m or a w takes more. */
export const wordWidth = (word: string): number =>
  7.3 * (word.match(/\S/g) ?? []).length + 4.7 * (word.match(/[mw]/gi) ?? []).length

/** No word of a title is cut: its letters, and the padding of a cell. */
function titleWidth(override: Override, sortedBy: string | undefined): number {
  const title = columnTitle(override)
  const words = title.split(' ').map(wordWidth)
  if (title === sortedBy) words.push(words.pop()! + arrow)
  return Math.ceil(12 + Math.max(...words))
}

/** All rows are as high as this column says. */
export const isEvened = ({ properties }: Override): boolean => JSON.stringify(properties).includes('\\t')

const isText = (override: Override): boolean =>
  valueOf(override, 'custom.wrapText') === true && !isEvened(override)

const widthOf = (override: Override): number | undefined =>
  valueOf(override, 'custom.width') as number | undefined

/** The place of a column, from the left. */
function placeIn({ transformations = [] }: Panel, { matcher }: Override): number {
  const { indexByName } = transformations.at(-1)!.options as {
    readonly indexByName: Readonly<Record<string, number>>
  }
  return indexByName[matcher.options as string]
}

/**
 * Keeps columns readable on a phone, where those that do not fit scroll, while all of them are in view on a laptop. There, the
 * first text fills what is left beside the columns before it, and each other text the whole panel.
 */
export function withReadableColumns(panel: Panel, place: GridPlace): Panel {
  const { fieldConfig } = panel
  if (fieldConfig === undefined) return panel
  const { sortBy } = (panel.options ?? {}) as {
    readonly sortBy?: readonly { readonly displayName: string }[]
  }
  const neededBy = (column: Override): number => titleWidth(column, sortBy?.[0]?.displayName)
  const shown = fieldConfig.overrides.filter(isColumn)
  const fixed = new Map<Override, number>()
  for (const column of shown) {
    const width = widthOf(column)
    if (width !== undefined) fixed.set(column, Math.max(width, neededBy(column)))
  }
  let left =
    panelWidth('laptop', place) - tableFrame - [...fixed.values()].reduce((sum, width) => sum + width, 0)
  let sharing = shown.length - fixed.size
  // Grafana gives each of them an equal share, at least its minimum. A head that needs more gets a width of its own.
  const shareOf = (count: number): number => Math.min(widthMax, Math.floor(left / Math.max(1, count)))
  const heads = shown.filter((column) => !fixed.has(column) && !isText(column))
  for (const column of heads.toSorted((one, other) => neededBy(other) - neededBy(one))) {
    const width = Math.max(widthMin, neededBy(column))
    if (width <= shareOf(sharing)) break
    fixed.set(column, width)
    left -= width
    sharing -= 1
  }
  const share = shareOf(sharing)
  const phoneWidth = phonePanelWidth - tableFrame - (place.isBelowHeading ? indent : 0)
  const inOrder = shown.toSorted((one, other) => placeIn(panel, one) - placeIn(panel, other))
  const firstText = inOrder.findIndex(isText)
  const before = inOrder.slice(0, Math.max(0, firstText)).map((column) => fixed.get(column) ?? share)
  const beside = phoneWidth - before.reduce((sum, width) => sum + width, 0)
  const textWidth = (column: Override): number => {
    const isFirst = column === inOrder[firstText] && beside >= textMin
    return Math.max(textMin, Math.min(Math.floor(left / Math.max(1, sharing)), isFirst ? beside : phoneWidth))
  }
  const overrides = fieldConfig.overrides.map((override) => {
    if (!shown.includes(override)) return override
    const least = Math.max(
      neededBy(override),
      isText(override) ? textWidth(override) : Math.max(share, widthMin),
    )
    const own = fixed.get(override)
    const width =
      own === undefined ? { id: 'custom.minWidth', value: least } : { id: 'custom.width', value: own }
    const others = override.properties.filter(({ id }) => id !== 'custom.width')
    return { ...override, properties: [...others, width] }
  })
  return { ...panel, fieldConfig: { ...fieldConfig, overrides } }
}
