/** Where the nodes of the network are drawn: a card each, or one for many where there is no room. */
import { drawnSeverity } from '../shapes.ts'
import type { Box } from '../svg.ts'
import { tierNames } from './description.ts'
import type { NetworkNode, NetworkZone } from './description.ts'

/** One node, or several of a tier. */
export interface Card {
  readonly box: Box
  readonly tier: number
  readonly nodes: readonly NetworkNode[]
  /** The row of racks whose nodes it merges; empty for all of a tier. */
  readonly row: string
}

export interface ZoneColumn {
  readonly zone: NetworkZone
  readonly box: Box
  readonly cards: readonly Card[]
}

export interface NetworkLayout {
  readonly width: number
  readonly height: number
  readonly columns: readonly ZoneColumn[]
  readonly tierTops: readonly (number | null)[]
  readonly cardHeight: number
}

const pictureWidth = 1100
/** For the names of tiers. */
export const gutter = 78
const columnGap = 14
const headerHeight = 46
const cardHeight = 40
const tierStep = 82
const cardWidthMin = 42
const cardWidthMax = 138
const cardGap = 7
const bottom = 40
export const hostHeight = 16

/** The nodes of each card of a tier: each its own, or by row, or all in one. */
function groupsOf(nodes: readonly NetworkNode[], fitting: number): readonly (readonly NetworkNode[])[] {
  if (nodes.length <= fitting) return nodes.map((node) => [node])
  const byRow = [...Map.groupBy(nodes, ({ row }) => row).values()]
  return byRow.length <= fitting ? byRow : [nodes]
}

function cardsOf(nodes: readonly NetworkNode[], tier: number, top: number, column: Box): Card[] {
  const fitting = Math.max(1, Math.floor((column.width + cardGap) / (cardWidthMin + cardGap)))
  const groups = groupsOf(nodes, fitting)
  const step = column.width / Math.max(1, groups.length)
  const isMerged = groups.length < nodes.length
  const widest = isMerged ? Math.max(cardWidthMax, step - 30) : cardWidthMax
  const width = Math.min(step - cardGap, widest)
  return groups.map((some, index) => ({
    box: {
      x: column.x + step * (index + 0.5) - width / 2,
      y: top,
      width,
      height: cardHeight,
    },
    tier,
    nodes: some,
    row: groups.length > 1 && some.length > 1 ? some[0].row : '',
  }))
}

/** Zones side by side, their tiers at the same heights. */
export function networkLayout(zones: readonly NetworkZone[]): NetworkLayout {
  const present = tierNames.map((_, tier) =>
    zones.some(({ nodes }) => nodes.some((node) => node.tier === tier)),
  )
  const tierTops: (number | null)[] = []
  let y = headerHeight + 10
  for (const isPresent of present) {
    tierTops.push(isPresent ? y : null)
    if (isPresent) y += tierStep
  }
  const hosts = Math.max(0, ...zones.flatMap(({ nodes }) => nodes.map((node) => node.hosts.length)))
  const height =
    Math.max(y, headerHeight + tierStep) -
    (tierStep - cardHeight) +
    hosts * hostHeight +
    (hosts > 0 ? 16 : 0) +
    bottom
  const width = (pictureWidth - gutter - columnGap * (zones.length - 1)) / Math.max(1, zones.length)
  const columns = zones.map((zone, index) => {
    const box = { x: gutter + index * (width + columnGap), y: 0, width, height: height - bottom + 8 }
    const inner = { ...box, x: box.x + 6, width: width - 12 }
    const cards = tierTops.flatMap((top, tier) =>
      top === null
        ? []
        : cardsOf(
            zone.nodes.filter((node) => node.tier === tier),
            tier,
            top,
            inner,
          ),
    )
    return { zone, box, cards }
  })
  return { width: pictureWidth, height, columns, tierTops, cardHeight }
}

/** The worst state of the nodes of a card; null where none is known. */
export function worstNode({ nodes }: Card): NetworkNode {
  return nodes.reduce((worst, node) =>
    drawnSeverity(node.state) > drawnSeverity(worst.state) ? node : worst,
  )
}
