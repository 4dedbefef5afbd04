/** Power and cooling: from the grid over feeds to racks, from racks to cooling units, and the consequence of a failure. */
import { thresholds } from '../../contract/thresholds.ts'
import type { CoolingUnit, PowerFeed } from '../floor/description.ts'
import { drawSheet, noZones } from '../legend.ts'
import { palette, severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import { drawnSeverity, fan, glyph, percentText, pips, stateColor } from '../shapes.ts'
import type { DrawnState } from '../shapes.ts'
import { at, boxPath, line, path, rect, linked } from '../svg.ts'
import type { Box, Size } from '../svg.ts'
import { fittingParts, textWidth, wrapped } from '../text-width.ts'

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

const usualSize = { width: 1100, columnWidth: 620, roomHeight: 424 } as const
const gap = 12
const legend = 20
const feedTop = 40
const fanStep = 54
const columnsMax = 4

/** Narrower rooms have no sentences. */
const wordyWidthMin = 250
const rackHeightMin = 20
/** Lower ones have a line less of each sentence. */
const tallHeightMin = 322
/** From the rails of feeds to racks. */
const dropHeight = 22

/** Where the parts of a room are. */
function roomOf({ width, height }: Size, theme: Theme) {
  const isWordy = width >= wordyWidthMin
  // Lines of what the loss of a feed means; of cooling, one fewer.
  const lines = height >= tallHeightMin ? 3 : 2
  const feedHeight = isWordy ? 56 + lines * 14 : 58
  const racksTop = feedTop + feedHeight + 14 + dropHeight
  const belowRacks = 38 + (isWordy ? 48 + lines * 14 : 58)
  const rackHeight = Math.max(rackHeightMin, height - racksTop - belowRacks)
  return {
    theme,
    width,
    height: racksTop + rackHeight + belowRacks,
    padding: isWordy ? 14 : 8,
    isWordy,
    lines,
    feedHeight,
    racksTop,
    rackHeight,
  }
}
type Room = ReturnType<typeof roomOf>

/** Racks of fewer pixels are drawn together. */
const narrow = 8

function drawFeed(
  feed: SuppliedZone['feeds'][number],
  x: number,
  width: number,
  { isWordy, lines, feedHeight, theme }: Room,
): string {
  const { name, isLive, share, text, ifItFails } = feed
  const isHigh = (share ?? 0) >= thresholds.feedLoadHigh
  const color = isLive ? (isHigh ? severityFills[3] : palette.green) : severityFills[4]
  const [inset, loadTop] = isWordy ? [8, 17] : [5, 34]
  const sentences = () =>
    line(x + 8, feedTop + 46, text, { fill: theme.cabinetInk, width: width - 16 }) +
    wrapped(ifItFails, width - 16, 11, lines)
      .map((words, index) => line(x + 8, feedTop + 62 + index * 14, words, { fill: '#a9b4c0' }))
      .join('')
  const bar = { x: x + inset, y: feedTop + loadTop + 7, width: width - 2 * inset, height: 7 }
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
    line(x + inset, feedTop + 17, isWordy ? `Feed ${name}` : name, { bold: true, fill: theme.cabinetInk }) +
    line(x + width - inset, feedTop + loadTop, isLive ? percentText(share) : 'down', {
      anchor: 'end',
      bold: true,
      fill: isLive ? theme.cabinetInk : severityFills[4],
    }) +
    path(boxPath(bar), { fill: isLive ? '#2b3642' : 'url(#down)' }) +
    (isLive && share !== null ? path(boxPath({ ...bar, width: bar.width * share }), { fill: color }) : '') +
    (isWordy ? sentences() : '')
  )
}

/** From the rail of each live feed down to a rack. */
const dropsOf = (feeds: SuppliedZone['feeds'], box: Box): string =>
  feeds
    .slice(0, 2)
    .map(({ isLive }, nth) => {
      const x = box.x + box.width / 2 + (nth === 0 ? -2 : 2)
      return isLive ? `M${at(x)} ${at(box.y - dropHeight + nth * 9)}V${at(box.y)}` : ''
    })
    .join('')

function drawRack(
  rack: SuppliedRack,
  box: Box,
  feeds: SuppliedZone['feeds'],
  step: number,
  theme: Theme,
): string {
  const severity = drawnSeverity(rack.state)
  const color = severity >= 2 ? severityFills[severity] : palette.green
  const used = (rack.share ?? 0) * box.height
  const middle = box.x + box.width / 2
  const style = { anchor: 'middle', fill: theme.cabinetInk } as const
  return linked(
    rack.summary,
    rack.href,
    path(dropsOf(feeds, box), { stroke: palette.green, 'stroke-width': 1.2 }) +
      rect(box, { fill: theme.cabinet, stroke: severity >= 2 ? color : theme.cabinetLine }) +
      path(boxPath({ ...box, y: box.y + box.height - used, height: used }), { fill: color, opacity: 0.75 }) +
      (box.width >= 34
        ? line(middle, box.y + box.height + 14, rack.name, { ...style, fill: theme.soft, width: step }) +
          line(middle, box.y + 14, percentText(rack.share), { ...style, width: box.width })
        : ''),
  )
}

/** Rails of the feeds, and the racks that they feed. */
function drawRacks({ racks, feeds }: SuppliedZone, x: number, width: number, room: Room): string {
  const { feedHeight, racksTop, rackHeight, theme } = room
  const step = width / Math.max(1, racks.length)
  const rails = feeds.slice(0, 2).map(({ isLive }, index) => {
    const y = racksTop - dropHeight + index * 9
    const start = x + (width * (index * 2 + 1)) / 4
    return path(`M${at(start)} ${feedTop + feedHeight}V${y}M${at(x)} ${y}h${at(width)}`, {
      stroke: isLive ? palette.green : severityFills[4],
      'stroke-width': 3,
      fill: 'none',
      'stroke-dasharray': isLive ? null : '5 4',
    })
  })
  if (step < narrow) {
    const severities = racks.map(({ state }) => (state === null ? null : drawnSeverity(state)))
    return rails.join('') + pips(x, racksTop, width, rackHeight, severities, severityFills)
  }
  const drawn = racks.map((rack, index) => {
    const left = x + index * step + Math.min(3, step * 0.1)
    const box = { x: left, y: racksTop, width: step - Math.min(6, step * 0.2), height: rackHeight }
    return drawRack(rack, box, feeds, step, theme)
  })
  return rails.join('') + drawn.join('')
}

function drawCooling({ cooling, coolingLoss }: SuppliedZone, x: number, width: number, room: Room): string {
  const { isWordy, lines, theme } = room
  const fansTop = room.racksTop + room.rackHeight + 38
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
        return linked(
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
    wrapped(isWordy ? loss : '', width, 11, lines - 1)
      .map((words, index) => line(x, fansTop + 48 + index * 14, words, { fill: theme.soft }))
      .join('')
  )
}

function drawZone(zone: SuppliedZone, x: number, y: number, room: Room): string {
  const { width, height, padding, theme } = room
  const severity = drawnSeverity(zone.state)
  const inner = width - 2 * padding
  const size = room.isWordy ? 15 : 12
  const free = inner - textWidth(zone.name, size, true) - 14
  const full = zone.state?.state ?? 'unknown'
  const word = textWidth(full, 12, true) <= free ? full : ''
  const feedWidth = (inner - 10) / Math.max(2, zone.feeds.length)
  const wordWidth = textWidth(word, 12, true)
  const content =
    rect(
      { x: 1, y: 1, width: width - 2, height: height - 2 },
      {
        rx: 8,
        fill: theme.room,
        stroke: severity >= 2 ? severityFills[severity] : theme.line,
        'stroke-width': severity >= 2 ? 2 : 1,
      },
    ) +
    line(padding, 25, zone.name, { size, bold: true, fill: theme.ink, width: inner - wordWidth - 12 }) +
    glyph(
      severity,
      width - padding - (word === '' ? 4 : wordWidth + 10),
      20,
      8,
      stateColor(zone.state, theme),
    ) +
    line(width - padding, 25, word, {
      size: 12,
      bold: true,
      anchor: 'end',
      fill: stateColor(zone.state, theme),
    }) +
    zone.feeds
      .map((feed, index) => drawFeed(feed, padding + index * (feedWidth + 10), feedWidth, room))
      .join('') +
    drawRacks(zone, padding, inner, room) +
    drawCooling(zone, padding, inner, room) +
    line(padding, height - 12, fittingParts(zone.facts.split(' · '), inner), {
      fill: theme.soft,
      width: inner,
    })
  return `<svg x='${at(x)}' y='${at(y)}' width='${at(width)}' height='${at(height)}'>${content}</svg>`
}

export function drawPower(
  zones: readonly SuppliedZone[],
  moment: string,
  size: Size | null,
  theme: Theme,
): string {
  const columns = Math.min(columnsMax, Math.max(1, zones.length))
  const lines = Math.max(1, Math.ceil(zones.length / columns))
  const width = size?.width ?? (zones.length === 1 ? usualSize.columnWidth : usualSize.width)
  const roomHeight = size === null ? usualSize.roomHeight : (size.height - legend) / lines - gap
  const room = roomOf({ width: (width - (columns - 1) * gap) / columns, height: roomHeight }, theme)
  const height = lines * (room.height + gap) + legend
  const rooms = zones.map((zone, index) => {
    const x = (index % columns) * (room.width + gap)
    return drawZone(zone, x, Math.floor(index / columns) * (room.height + gap), room)
  })
  const title = 'Power and cooling'
  const description = zones.map(({ name, state }) => `${name}: ${state?.state ?? 'unknown'}`).join('. ')
  const content = noZones(zones, theme) + rooms.join('')
  return drawSheet('power', { width, height, title, description, moment, content }, theme)
}
