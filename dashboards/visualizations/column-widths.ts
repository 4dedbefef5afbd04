import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'

/** Widths in pixels of columns without one: as many as a laptop's screen of 1366 pixels has for each, in these limits. */
const [widthMin, widthMax] = [60, 140]
/** A column of the grid on that screen, and the frame of a panel. */
const [gridColumn, frame] = [55, 24]

type FieldConfig = NonNullable<Panel['fieldConfig']>
type Override = FieldConfig['overrides'][number]

const valueOf = ({ properties }: Override, id: string): unknown =>
  properties.find((property) => property.id === id)?.value

const isColumn = (override: Override): boolean =>
  valueOf(override, 'displayName') !== undefined && valueOf(override, 'custom.hidden') !== true

const widthOf = (override: Override): number | undefined =>
  valueOf(override, 'custom.width') as number | undefined

/** Keeps columns readable on a phone, where tables scroll, while all of them are in view on a laptop. */
export function withReadableColumns(panel: Panel, columns: number): Panel {
  const { fieldConfig } = panel
  if (panel.type !== 'table' || fieldConfig === undefined) return panel
  const shown = fieldConfig.overrides.filter(isColumn)
  const sharing = shown.filter((column) => widthOf(column) === undefined)
  const taken = shown.reduce((sum, column) => sum + (widthOf(column) ?? 0), 0)
  const share = Math.floor((columns * gridColumn - frame - taken) / sharing.length)
  const minWidth = { id: 'custom.minWidth', value: Math.max(widthMin, Math.min(widthMax, share)) }
  const overrides = fieldConfig.overrides.map((override) =>
    sharing.includes(override) ? { ...override, properties: [...override.properties, minWidth] } : override,
  )
  return { ...panel, fieldConfig: { ...fieldConfig, overrides } }
}
