import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { panelWidth } from '../style/screens.ts'
import type { GridPlace } from '../style/screens.ts'

/** Widths in pixels of columns without one: as many as a laptop has for each, in these limits; a text wraps from less on. */
const [widthMin, textMin, widthMax] = [60, 100, 140]
/** Between a panel and its table. */
const frame = 18

type FieldConfig = NonNullable<Panel['fieldConfig']>
type Override = FieldConfig['overrides'][number]

const valueOf = ({ properties }: Override, id: string): unknown =>
  properties.find((property) => property.id === id)?.value

const isColumn = (override: Override): boolean =>
  valueOf(override, 'displayName') !== undefined && valueOf(override, 'custom.hidden') !== true

/** No word of a title is cut: its letters, and the padding of a cell. */
const titleWidth = (override: Override): number =>
  12 +
  7.3 *
    Math.max(
      ...String(valueOf(override, 'displayName'))
        .split(' ')
        .map((word) => word.length),
    )

const isText = (override: Override): boolean => valueOf(override, 'custom.wrapText') === true

const widthOf = (override: Override): number | undefined =>
  valueOf(override, 'custom.width') as number | undefined

/** Keeps columns readable on a phone, where tables scroll, while all of them are in view on a laptop. */
export function withReadableColumns(panel: Panel, place: GridPlace): Panel {
  const { fieldConfig } = panel
  if (panel.type !== 'table' || fieldConfig === undefined) return panel
  const shown = fieldConfig.overrides.filter(isColumn)
  const sharing = shown.filter((column) => widthOf(column) === undefined)
  const taken = shown.reduce((sum, column) => sum + (widthOf(column) ?? 0), 0)
  // Grafana gives each of them an equal share, at least its minimum. A head that needs more gets a width of its own.
  const fixed = new Map<Override, number>()
  let left = panelWidth('laptop', place) - frame - taken
  const shareOf = (count: number): number => Math.min(widthMax, Math.floor(left / count))
  const heads = sharing.filter((column) => !isText(column))
  for (const column of heads.toSorted((one, other) => titleWidth(other) - titleWidth(one))) {
    const width = Math.ceil(Math.max(widthMin, titleWidth(column)))
    if (width <= shareOf(sharing.length - fixed.size)) break
    fixed.set(column, width)
    left -= width
  }
  const share = shareOf(Math.max(1, sharing.length - fixed.size))
  const overrides = fieldConfig.overrides.map((override) => {
    if (!sharing.includes(override)) return override
    const least = Math.max(share, Math.ceil(titleWidth(override)), isText(override) ? textMin : widthMin)
    const own = fixed.get(override)
    const width =
      own === undefined ? { id: 'custom.minWidth', value: least } : { id: 'custom.width', value: own }
    return { ...override, properties: [...override.properties, width] }
  })
  return { ...panel, fieldConfig: { ...fieldConfig, overrides } }
}
