import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'

/** Widths in pixels of columns without one: as many as a laptop has for each, in these limits; a text wraps from less on. */
const [widthMin, textMin, widthMax] = [60, 100, 140]
/** A column of the grid of 968 pixels that Grafana 13 leaves on a screen of 1366, and what surrounds a table in it. */
const [gridColumn, frame] = [976 / 24, 26]

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
export function withReadableColumns(panel: Panel, columns: number): Panel {
  const { fieldConfig } = panel
  if (panel.type !== 'table' || fieldConfig === undefined) return panel
  const shown = fieldConfig.overrides.filter(isColumn)
  const sharing = shown.filter((column) => widthOf(column) === undefined)
  const leastOf = (column: Override): number =>
    Math.ceil(Math.max(isText(column) ? textMin : widthMin, titleWidth(column)))
  let left = columns * gridColumn - frame - shown.reduce((sum, column) => sum + (widthOf(column) ?? 0), 0)
  let share = widthMax
  // The widest first: those that need more than their share leave less to the others.
  const byNeed = sharing.map(leastOf).toSorted((one, other) => other - one)
  for (const [at, least] of byNeed.entries()) {
    share = Math.min(widthMax, Math.floor(left / (byNeed.length - at)))
    if (least <= share) break
    left -= least
  }
  const overrides = fieldConfig.overrides.map((override) => {
    if (!sharing.includes(override)) return override
    const value = Math.max(leastOf(override), share)
    return { ...override, properties: [...override.properties, { id: 'custom.minWidth', value }] }
  })
  return { ...panel, fieldConfig: { ...fieldConfig, overrides } }
}
