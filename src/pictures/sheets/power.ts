/** Power and cooling: from the grid over feeds to racks, from racks to cooling units, and the consequence of a failure. */
import { thresholds } from '../../contract/thresholds.ts'
import type { CoolingUnit, PowerFeed } from '../floor/description.ts'
import { drawLegend } from '../legend.ts'
import { palette, severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import { drawnSeverity, fan, glyph, hatching, percentText, stateColor } from '../shapes.ts'
import type { DrawnState } from '../shapes.ts'
import { at, boxPath, line, path, rect, svg, thing } from '../svg.ts'
import type { Box } from '../svg.ts'
import { fitted, textWidth, wrapped } from '../text-width.ts'

interface SuppliedRack {
  readonly name: string
  readonly state: DrawnState | null
  readonly share: number | null
  readonly liveFeeds: number
  readonly summary: string
  readonly href: string | null
}

export interface SuppliedZone {
  readonly name: string
  readonly state: DrawnState | null
  readonly feeds: readonly (PowerFeed & { readonly text: string; readonly ifItFails: string })[]
  readonly racks: readonly SuppliedRack[]
  readonly cooling: readonly CoolingUnit[]
  /** The consequence of losing the largest unit. */
  readonly coolingLoss: string
  readonly facts: string
}

const pictureWidth = 1100
const gap = 12
const padding = 14
const feedTop = 40
const feedHeight = 98
const busTop = 160
const racksTop = 190
const rackHeight = 84
const fansTop = 328
const roomHeight = 424
const fanStep = 54
const columnsMax = 4
/** Racks of fewer pixels are drawn together. */
const narrow = 8

function drawFeed(feed: SuppliedZone['feeds'][number], x: number, width: number, theme: Theme): string {
  const { name, isLive, share, text, ifItFails } = feed
  const isHigh = (share ?? 0) >= thresholds.feedLoadHigh
  const color = isLive ? (isHigh ? severityFills[3] : palette.green) : severityFills[4]
  const bar = { x: x + 8, y: feedTop + 24, width: width - 16, height: 7 }
  return (
    rect(
      { x, y: feedTop, width, height: feedHeight },
      {
        rx: 5,
        fill: theme.cabinet,
        stroke: isLive ? theme.cabinetLine : severityFills[4],
        'stroke-width': isLive ? 1 : 2,
      },
    ) +
    line(x + 8, feedTop + 17, `Feed ${name}`, { bold: true, fill: theme.cabinetInk }) +
    line(x + width - 8, feedTop + 17, isLive ? percentText(share) : 'down', {
      anchor: 'end',
      bold: true,
      fill: isLive ? theme.cabinetInk : severityFills[4],
    }) +
    path(boxPath(bar), { fill: isLive ? '#2b3642' : 'url(#down)' }) +
    (isLive && share !== null ? path(boxPath({ ...bar, width: bar.width * share }), { fill: color }) : '') +
    line(x + 8, feedTop + 46, text, { fill: theme.cabinetInk, width: width - 16 }) +
    wrapped(ifItFails, width - 16, 11, 3)
      .map((words, index) => line(x + 8, feedTop + 62 + index * 14, words, { fill: '#a9b4c0' }))
      .join('')
  )
}

interface PlacedRack {
  readonly rack: SuppliedRack
  readonly box: Box
  readonly color: string
  readonly isMarked: boolean
}

const usedBox = ({ rack, box }: PlacedRack): Box => {
  const used = (rack.share ?? 0) * box.height
  return { ...box, y: box.y + box.height - used, height: used }
}

/** From the rail of each live feed down to a rack. */
const dropsOf = (feeds: SuppliedZone['feeds'], { box }: PlacedRack): string =>
  feeds
    .slice(0, 2)
    .map(({ isLive }, nth) =>
      isLive ? `M${at(box.x + box.width / 2 + (nth === 0 ? -2 : 2))} ${busTop + nth * 9}V${racksTop}` : '',
    )
    .join('')

function drawRack(placed: PlacedRack, feeds: SuppliedZone['feeds'], step: number, theme: Theme): string {
  const { rack, box, color, isMarked } = placed
  const middle = box.x + box.width / 2
  return thing(
    rack.summary,
    rack.href,
    path(dropsOf(feeds, placed), { stroke: palette.green, 'stroke-width': 1.2 }) +
      rect(box, { fill: theme.cabinet, stroke: isMarked ? color : theme.cabinetLine }) +
      path(boxPath(usedBox(placed)), { fill: color, opacity: 0.75 }) +
      (box.width >= 34
        ? line(middle, racksTop + rackHeight + 14, rack.name, {
            anchor: 'middle',
            fill: theme.soft,
            width: step,
          }) +
          line(middle, racksTop + 14, percentText(rack.share), {
            anchor: 'middle',
            fill: theme.cabinetInk,
            width: box.width,
          })
        : ''),
  )
}

/** Racks too narrow for a name or a pointer, as one shape for each color. */
function drawManyRacks(placed: readonly PlacedRack[], theme: Theme): string {
  const byColor = Map.groupBy(placed, ({ color }) => color)
  return (
    path(placed.map(({ box }) => boxPath(box)).join(''), { fill: theme.cabinet }) +
    Array.from(byColor, ([color, some]) =>
      path(some.map((one) => boxPath(usedBox(one))).join(''), { fill: color }),
    ).join('') +
    path(
      placed
        .map(({ box, isMarked }) => (isMarked ? boxPath({ ...box, y: box.y - 4, height: 3 }) : ''))
        .join(''),
      {
        fill: severityFills[3],
      },
    )
  )
}

/** Rails of the feeds, and the racks that they feed. */
function drawRacks({ racks, feeds }: SuppliedZone, x: number, width: number, theme: Theme): string {
  const step = width / Math.max(1, racks.length)
  const rails = feeds.slice(0, 2).map(({ isLive }, index) => {
    const y = busTop + index * 9
    const start = x + (width * (index * 2 + 1)) / 4
    return path(`M${at(start)} ${feedTop + feedHeight}V${y}M${at(x)} ${y}h${at(width)}`, {
      stroke: isLive ? palette.green : severityFills[4],
      'stroke-width': 3,
      fill: 'none',
      'stroke-dasharray': isLive ? null : '5 4',
    })
  })
  const placed = racks.map((rack, index): PlacedRack => {
    const severity = drawnSeverity(rack.state)
    const left = x + index * step + Math.min(3, step * 0.1)
    return {
      rack,
      box: { x: left, y: racksTop, width: step - Math.min(6, step * 0.2), height: rackHeight },
      color: severity >= 2 ? severityFills[severity] : palette.green,
      isMarked: severity >= 2,
    }
  })
  const drawn =
    step < narrow
      ? drawManyRacks(placed, theme)
      : placed.map((one) => drawRack(one, feeds, step, theme)).join('')
  return rails.join('') + drawn
}

function drawCooling({ cooling, coolingLoss }: SuppliedZone, x: number, width: number, theme: Theme): string {
  const fitting = Math.max(1, Math.floor(width / fanStep))
  const shown = cooling
    .toSorted((one, other) => drawnSeverity(other.condition) - drawnSeverity(one.condition))
    .slice(0, fitting)
  const hidden = cooling.length - shown.length
  const loss = hidden > 0 ? `${hidden} more. ${coolingLoss}` : coolingLoss
  return (
    shown
      .map(({ name, condition, share }, index) => {
        const middle = x + 22 + index * fanStep
        const isDown = drawnSeverity(condition) >= 3
        return thing(
          `${name}: ${condition.state}`,
          null,
          fan(middle, fansTop, 13, share, condition, theme) +
            line(middle, fansTop + 29, isDown ? condition.state : percentText(share), {
              anchor: 'middle',
              fill: isDown ? stateColor(condition, theme) : theme.soft,
              width: fanStep,
            }),
        )
      })
      .join('') +
    wrapped(loss, width, 11, 2)
      .map((words, index) => line(x, fansTop + 48 + index * 14, words, { fill: theme.soft }))
      .join('')
  )
}

function drawZone(zone: SuppliedZone, x: number, y: number, width: number, theme: Theme): string {
  const severity = drawnSeverity(zone.state)
  const inner = width - 2 * padding
  const word = fitted(zone.state?.state ?? 'unknown', inner / 2, 12, true)
  const feedWidth = (inner - 10) / Math.max(2, zone.feeds.length)
  const wordWidth = textWidth(word, 12, true)
  const content =
    rect(
      { x: 1, y: 1, width: width - 2, height: roomHeight - 2 },
      {
        rx: 8,
        fill: theme.room,
        stroke: severity >= 2 ? severityFills[severity] : theme.line,
        'stroke-width': severity >= 2 ? 2 : 1,
      },
    ) +
    line(padding, 25, zone.name, { size: 15, bold: true, fill: theme.ink, width: inner - wordWidth - 30 }) +
    glyph(severity, width - padding - wordWidth - 10, 20, 8, stateColor(zone.state, theme)) +
    line(width - padding, 25, word, {
      size: 12,
      bold: true,
      anchor: 'end',
      fill: stateColor(zone.state, theme),
    }) +
    zone.feeds
      .map((feed, index) => drawFeed(feed, padding + index * (feedWidth + 10), feedWidth, theme))
      .join('') +
    drawRacks(zone, padding, inner, theme) +
    drawCooling(zone, padding, inner, theme) +
    line(padding, roomHeight - 12, zone.facts, { fill: theme.soft, width: inner })
  return `<svg x='${at(x)}' y='${at(y)}' width='${at(width)}' height='${roomHeight}'>${content}</svg>`
}

export function drawPower(zones: readonly SuppliedZone[], moment: string, theme: Theme): string {
  const columns = Math.min(columnsMax, Math.max(1, zones.length))
  const roomWidth = zones.length === 1 ? 620 : (pictureWidth - (columns - 1) * gap) / columns
  const width = zones.length === 1 ? roomWidth : pictureWidth
  const height = Math.max(1, Math.ceil(zones.length / columns)) * (roomHeight + gap) + 20
  const rooms = zones.map((zone, index) =>
    drawZone(
      zone,
      (index % columns) * (roomWidth + gap),
      Math.floor(index / columns) * (roomHeight + gap),
      roomWidth,
      theme,
    ),
  )
  return svg({
    width,
    height,
    title: 'Power and cooling',
    description: zones.map(({ name, state }) => `${name}: ${state?.state ?? 'unknown'}`).join('. '),
    definitions: hatching('#5c1f00'),
    content:
      (theme.paper === null ? '' : rect({ x: 0, y: 0, width, height }, { fill: theme.paper })) +
      (zones.length === 0 ? line(20, 24, 'There are no zones here.', { size: 14, fill: theme.soft }) : '') +
      rooms.join('') +
      drawLegend(width, height, 'power', theme, moment),
  })
}
