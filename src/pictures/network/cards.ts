/** Where the nodes of the network are drawn: a card each, or one for many where there is no room. */
import { drawnSeverity } from '../shapes.ts'
import type { Box, Size } from '../svg.ts'
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
  readonly gutter: number
  readonly width: number
  readonly height: number
  readonly columns: readonly ZoneColumn[]
  readonly tierTops: readonly (number | null)[]
  readonly cardHeight: number
}

const pictureWidth = 1100
/** For the names of tiers, where zones have room beside them: three with whole names in their cards. */
const [gutterWidth, gutteredWidthMin] = [78, 800]
const columnGap = 14
const headerHeight = 46
const [cardHeightUsual, cardHeightMin] = [40, 26]
const [tierStepUsual, tierStepMin] = [82, 40]
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

function cardsOf(nodes: readonly NetworkNode[], tier: number, place: Box): Card[] {
  const fitting = Math.max(1, Math.floor((place.width + cardGap) / (cardWidthMin + cardGap)))
  const groups = groupsOf(nodes, fitting)
  const step = place.width / Math.max(1, groups.length)
  const isMerged = groups.length < nodes.length
  const widest = isMerged ? Math.max(cardWidthMax, step - 30) : cardWidthMax
  const width = Math.min(step - cardGap, widest)
  return groups.map((some, index) => ({
    box: { ...place, x: place.x + step * (index + 0.5) - width / 2, width },
    tier,
    nodes: some,
    row: groups.length > 1 && some.length > 1 ? some[0].row : '',
  }))
}

const withoutHosts = (zone: NetworkZone): NetworkZone => ({
  ...zone,
  nodes: zone.nodes.map((node) => ({ ...node, hosts: [] })),
})

/** Zones side by side, their tiers at the same heights, which fill a size that is given. */
export function networkLayout(described: readonly NetworkZone[], size: Size | null): NetworkLayout {
  const tiers = new Set(described.flatMap(({ nodes }) => nodes.map(({ tier }) => tier)))
  const steps = Math.max(1, tiers.size)
  const hostsMost = Math.max(0, ...described.flatMap(({ nodes }) => nodes.map(({ hosts }) => hosts.length)))
  const hostsHeight = hostsMost > 0 ? hostsMost * hostHeight + 16 : 0
  const heightMax = size?.height ?? Infinity
  const head = headerHeight + 10
  const hasHosts = head + (steps - 1) * tierStepMin + cardHeightUsual + hostsHeight + bottom <= heightMax
  const zones = hasHosts ? described : described.map(withoutHosts)
  const around = head + (hasHosts ? hostsHeight : 0) + bottom
  const tierStep =
    size === null || steps === 1
      ? tierStepUsual
      : Math.max(tierStepMin, (size.height - around - cardHeightUsual) / (steps - 1))
  // Links need room between cards.
  const cardHeight = Math.max(cardHeightMin, Math.min(cardHeightUsual, tierStep - 24))
  const tierTops: (number | null)[] = []
  let y = head
  for (const tier of tierNames.keys()) {
    tierTops.push(tiers.has(tier) ? y : null)
    if (tiers.has(tier)) y += tierStep
  }
  const needed = around + (steps - 1) * tierStep + cardHeight
  const height = Math.max(needed, size?.height ?? 0)
  const picture = size?.width ?? pictureWidth
  const gutter = picture < gutteredWidthMin ? 0 : gutterWidth
  const width = (picture - gutter - columnGap * (zones.length - 1)) / Math.max(1, zones.length)
  const columns = zones.map((zone, index) => {
    const box = { x: gutter + index * (width + columnGap), y: 0, width, height: height - bottom + 8 }
    const inner = { x: box.x + 6, width: width - 12, height: cardHeight }
    const cards = tierTops.flatMap((top, tier) =>
      top === null
        ? []
        : cardsOf(
            zone.nodes.filter((node) => node.tier === tier),
            tier,
            { ...inner, y: top },
          ),
    )
    return { zone, box, cards }
  })
  return { gutter, width: picture, height, columns, tierTops, cardHeight }
}

/** The worst state of the nodes of a card; null where none is known. */
export function worstNode({ nodes }: Card): NetworkNode {
  return nodes.reduce((worst, node) =>
    drawnSeverity(node.state) > drawnSeverity(worst.state) ? node : worst,
  )
}
