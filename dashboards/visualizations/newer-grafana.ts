import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'

/**
 * Keys that the SDK does not know, with the version of Grafana that introduced them. Older versions ignore them, so
 * that panels show less there, and none fails.
 */

/** 12.2: the variable is in the menu of controls. Before, it is shown above the dashboard. */
export const hideInControlsMenu = 3

/** 11.2, not in the types of links of panels: a click opens the link, without a menu. */
export const oneClick = { oneClick: true } as const

/** 12.1: long titles of columns wrap. */
export const wrapHeader = { id: 'custom.wrapHeaderText', value: true } as const

/** 12.2: long texts in cells wrap. Before, it was a part of the options of the cell. */
export const wrapCells = { id: 'custom.wrapText', value: true } as const

/** 12.2: the most of the highest text of a row. Before, rows were as high as their texts need. */
export const withRowLimit = (panel: Panel, maxRowHeight: number): Panel => ({
  ...panel,
  options: { ...(panel.options as object), maxRowHeight },
})

/** 13.0: regions and lines of marks are thin enough for the graph to stay legible. */
export const withQuietMarks = (panel: Panel): Panel => ({
  ...panel,
  options: {
    ...(panel.options as object),
    annotations: { multiLane: false, lines: { width: 1 }, regions: { opacity: 0.08 } },
  },
})

/**
 * Not in the types of the SDK: the background of the canvas itself. In the mode `mapping` the text of a field is the address of
 * the picture, without a mapping.
 */
export const withBackgroundOfField = (panel: Panel, field: string): Panel => {
  const options = panel.options as { root: object }
  const background = {
    color: { fixed: 'transparent' },
    image: { mode: 'mapping', field, fixed: '' },
    size: 'contain',
  }
  return { ...panel, options: { ...options, root: { ...options.root, background } } }
}
