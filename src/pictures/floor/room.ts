/** A zone as a room: its name and state, its feeds, its racks in their rows, and cooling units along the wall. */
import { thresholds } from '../../contract/thresholds.ts'
import { severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import {
  badge,
  badgeWidth,
  drawnSeverity,
  fan,
  glyph,
  percentText,
  pill,
  pips,
  stateColor,
} from '../shapes.ts'
import { line, rect, linked } from '../svg.ts'
import type { Box } from '../svg.ts'
import { fittingParts, textWidth } from '../text-width.ts'
import { planOf } from './description.ts'
import type { CoolingUnit, FloorSettings, FloorZone } from './description.ts'
import { deviceAreas } from './elevation.ts'
import { aisle, linesOf, roomPadding, walledWidthMin, wallWidth } from './floor-layout.ts'
import { drawRack, rackTexts, RackField } from './rack.ts'

function drawLines(zone: FloorZone, left: number, top: number, settings: FloorSettings): string {
  const { layout, theme } = settings
  const pieces: string[] = []
  const field = new RackField(theme)
  let y = top
  for (const { parts } of linesOf(planOf(zone), layout.lineMax)) {
    let x = left + layout.gutter
    const rackTop = y + (layout.hasLabels ? 16 : 2)
    if (layout.gutter > 0 && parts[0].from === 0)
      pieces.push(
        line(left, rackTop + layout.rackHeight / 2 + 4, zone.rows[parts[0].row].name, {
          fill: theme.soft,
          bold: true,
          width: layout.gutter - 4,
        }),
      )
    for (const { row, from, to } of parts) {
      if (layout.hasNamesBelow)
        pieces.push(
          line(x, rackTop + layout.rackHeight + 18, zone.rows[row].name, {
            fill: theme.soft,
            bold: true,
            width: (to - from) * layout.slotWidth,
          }),
        )
      for (const rack of zone.rows[row].racks.slice(from, to)) {
        const box = {
          x: x + (layout.slotWidth - layout.rackWidth) / 2,
          y: rackTop,
          width: layout.rackWidth,
          height: layout.rackHeight,
        }
        x += layout.slotWidth
        if (layout.detail !== 'units') {
          field.add(box, rack)
          if (layout.hasLabels) pieces.push(rackTexts(box, rack, theme))
          continue
        }
        const texts = layout.hasLabels ? rackTexts(box, rack, theme) : ''
        pieces.push(linked(rack.summary, rack.href, drawRack(box, rack, settings) + texts))
        if (settings.hasDeviceAreas) pieces.push(deviceAreas(box, rack.heightU, rack.devices))
      }
      x += aisle
    }
    y += layout.lineHeight
  }
  return field.drawn() + pieces.join('')
}

/** Hosts that stand in no rack, as a field of squares. */
function drawLoose({ loose }: FloorZone, box: Box): string {
  if (loose.length === 0) return ''
  const side = Math.min(16, Math.sqrt((box.width * box.height) / (loose.length + 1)))
  const perLine = Math.max(1, Math.floor(box.width / side))
  const lines = []
  for (let from = 0; from < loose.length; from += perLine) {
    const some = loose.slice(from, from + perLine)
    const y = box.y + (from / perLine) * side
    lines.push(pips(box.x, y, some.length * side, side - 1.5, some, severityFills))
  }
  return lines.join('')
}

/** As many cooling units as fit, those in trouble first. */
function drawWall(units: readonly CoolingUnit[], box: Box, theme: Theme): string {
  const x = box.x + box.width / 2
  const fitting = Math.max(1, Math.floor(box.height / 46))
  const shown = units
    .toSorted((one, other) => drawnSeverity(other.condition) - drawnSeverity(one.condition))
    .slice(0, fitting)
  const spread = Math.min(76, box.height / shown.length)
  return shown
    .map(({ name, condition, share }, index) => {
      const y = box.y + spread * index + 14
      const text = drawnSeverity(condition) >= 3 ? condition.state : percentText(share)
      const fill = drawnSeverity(condition) >= 2 ? stateColor(condition, theme) : theme.soft
      return linked(
        `${name}: ${condition.state}, ${percentText(share)}`,
        null,
        fan(x, y, 12, share, condition, theme) + line(x, y + 27, text, { anchor: 'middle', fill, width: 50 }),
      )
    })
    .join('')
}

function drawHeader(zone: FloorZone, box: Box, isCompact: boolean, theme: Theme): string {
  const { x, y, width } = box
  const severity = drawnSeverity(zone.condition)
  const color = stateColor(zone.condition, theme)
  const right = x + width
  const size = textWidth(zone.name, 16, true) + 18 <= width ? 16 : 13
  // Where not all of it fits, the word of the state is left out first, which its mark says too, and then incidents.
  let free = width - textWidth(zone.name, size, true) - 18
  const word = zone.condition?.state ?? 'unknown'
  const wordWidth = textWidth(word, 13, true) <= free ? textWidth(word, 13, true) : 0
  free -= wordWidth + 10
  let badgesRight = right - wordWidth - (wordWidth > 0 ? 22 : 12)
  const badges = zone.incidents.slice(0, 3).map(({ text, severity: grave }) => {
    free -= badgeWidth(text) + 4
    if (free < 0) return ''
    const drawn = badge(badgesRight, y + 17, text, grave)
    badgesRight -= badgeWidth(text) + 4
    return drawn
  })
  const name = [
    line(x, y + 22, zone.name, { size, bold: true, fill: theme.ink, width: badgesRight - x }),
    glyph(severity, right - wordWidth - (wordWidth > 0 ? 10 : 4), y + 17, 8, color),
    wordWidth > 0 ? line(right, y + 22, word, { size: 13, bold: true, anchor: 'end', fill: color }) : '',
    ...badges,
  ].join('')
  if (isCompact) return name
  let pillRight = right
  const feeds = zone.feeds.slice(0, 4)
  const wan = [zone.wan.text, percentText(zone.wan.share)].map((text) => `WAN ${text}`)
  // The numbers of feeds, which are yellow where they are high, are left out before the WAN.
  const areShort = feeds.length * 67 + textWidth(wan[1], 11) > width
  const pills = feeds.toReversed().map(({ name: feed, isLive, share }) => {
    const isHigh = (share ?? 0) >= thresholds.feedLoadHigh
    const text = isLive ? (areShort ? feed : `${feed} ${percentText(share)}`) : `${feed} down`
    const { content, width: used } = pill(pillRight, y + 36, text, isLive ? (isHigh ? 2 : 0) : 4, theme)
    pillRight -= used + 6
    return content
  })
  const wanText = wan.find((text) => textWidth(text, 11) <= pillRight - x) ?? ''
  return [
    name,
    line(x, y + 40, wanText, { fill: theme.states[wanSeverity(zone)] ?? theme.soft }),
    ...pills,
    zone.trouble === ''
      ? line(x, y + 58, fittingParts(zone.inhabitants, width), { fill: theme.soft, width })
      : line(x, y + 58, fittingParts(zone.trouble.split(', '), width, ', ', true), {
          fill: theme.states[Math.max(2, severity)],
          bold: true,
          width,
        }),
  ].join('')
}

const wanSeverity = ({ wan: { share } }: FloorZone): number =>
  (share ?? 0) >= thresholds.linkLoadFull ? 4 : (share ?? 0) >= thresholds.linkLoadHigh ? 3 : -1

export function drawRoom(zone: FloorZone, box: Box, settings: FloorSettings): string {
  const { theme, layout } = settings
  const [header, footer] = layout.margins
  const severity = drawnSeverity(zone.condition)
  const frame = severity >= 2 ? severityFills[severity] : theme.line
  const inner = { ...box, x: box.x + roomPadding, width: box.width - 2 * roomPadding }
  const hasWall = box.width >= walledWidthMin && zone.coolingUnits.length > 0
  const space = {
    x: inner.x,
    y: box.y + header,
    width: inner.width - (hasWall ? wallWidth : 0),
    height: box.height - header - footer,
  }
  const wall = { ...space, x: inner.x + inner.width - wallWidth + 10, width: wallWidth - 6 }
  const factsWidth = inner.width - 8
  const facts = zone.trouble === '' ? zone.facts : [...zone.inhabitants, ...zone.facts]
  const head =
    rect(
      { x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2 },
      { rx: 8, fill: theme.room, stroke: frame, 'stroke-width': severity >= 2 ? 2 : 1 },
    ) +
    drawHeader(zone, inner, layout.isCompact, theme) +
    (layout.isCompact
      ? ''
      : line(inner.x, box.y + box.height - 10, fittingParts(facts, factsWidth), {
          fill: theme.soft,
          width: factsWidth,
        }))
  return (
    linked(zone.summary, zone.href, head) +
    (layout.detail === 'rows' ? drawRows(zone, space, theme) : drawLines(zone, space.x, space.y, settings)) +
    drawLoose(zone, zone.rows.length === 0 ? space : { ...space, height: 0 }) +
    (hasWall ? drawWall(zone.coolingUnits, wall, theme) : '')
  )
}

/** Rows of racks as strips with a mark for each rack, where racks are too small to be drawn. */
function drawRows({ rows }: FloorZone, box: Box, theme: Theme): string {
  const height = Math.min(22, box.height / Math.max(1, rows.length))
  return rows
    .map(({ name, racks }, index) => {
      const y = box.y + index * height
      const severities = racks.map(({ condition }) => (condition === null ? null : drawnSeverity(condition)))
      return linked(
        `Row ${name}: ${racks.length} racks`,
        null,
        (height >= 12 ? line(box.x, y + height / 2 + 4, name, { fill: theme.soft, width: 24 }) : '') +
          pips(box.x + 28, y + 1, box.width - 28, Math.max(0.5, height - 2), severities, severityFills),
      )
    })
    .join('')
}
