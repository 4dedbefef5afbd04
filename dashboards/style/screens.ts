/** The space of panels in Grafana 13, in pixels, as measured: on a laptop of 1366 and a screen of 1920, its menu open, and on a phone. */
const pageWidths = { laptop: 968, screen: 1_522 } as const
export const phonePanelWidth = 348
export const gap = 8
/** Panels below a heading are indented. */
export const indent = 24
/** The height of a row of the grid, with its gap. */
export const gridRow = 38
const gridColumns = 24

/** The place of a panel in the grid. */
export interface GridPlace {
  readonly columns: number
  readonly rows: number
  /** Whether it stands below the heading of a section. */
  readonly isBelowHeading: boolean
}

export function panelWidth(page: keyof typeof pageWidths, { columns, isBelowHeading }: GridPlace): number {
  const width = pageWidths[page] - (isBelowHeading ? indent : 0)
  return Math.floor(((width + gap) * columns) / gridColumns - gap)
}

/** On a phone, on a laptop and on a large screen. */
export const panelWidths = (place: GridPlace): number[] => [
  phonePanelWidth,
  panelWidth('laptop', place),
  panelWidth('screen', place),
]
