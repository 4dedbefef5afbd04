/** The floor: zones as rooms, racks in their rows as front elevations to scale, power, cooling and warmth. */
import { drawSheet, noZones } from '../legend.ts'
import { severityFills } from '../palette.ts'
import { drawnSeverity, glyph } from '../shapes.ts'
import { line, rect, linked } from '../svg.ts'
import type { FloorSettings, FloorZone } from './description.ts'
import { legendHeight, roomGap } from './floor-layout.ts'
import { drawRoom } from './room.ts'

/** Zones as tiles, where there are too many for rooms. */
function drawTiles(
  zones: readonly FloorZone[],
  { theme, layout }: FloorSettings,
): { content: string; height: number } {
  const columns = Math.max(1, Math.ceil(Math.sqrt(zones.length * 1.4)))
  const width = layout.width / columns
  const lines = Math.max(1, Math.ceil(zones.length / columns))
  const space = layout.isFilled ? (layout.height - legendHeight) / lines : 64
  const height = Math.max(20, Math.min(space, width * 0.7))
  const tiles = zones.map((zone, index) => {
    const x = (index % columns) * width
    const y = Math.floor(index / columns) * height
    const severity = drawnSeverity(zone.condition)
    const box = { x: x + 1.5, y: y + 1.5, width: width - 3, height: height - 3 }
    const fill = zone.condition === null ? 'none' : severityFills[severity]
    return linked(
      zone.summary,
      zone.href,
      rect(box, { rx: 3, fill: theme.room, stroke: severity >= 2 ? severityFills[severity] : theme.line }) +
        rect({ ...box, width: 4 }, { fill, stroke: zone.condition === null ? theme.soft : null }) +
        (height >= 30
          ? line(box.x + 9, box.y + 16, zone.name, { fill: theme.ink, width: box.width - 22 })
          : '') +
        (severity >= 2 ? glyph(severity, box.x + box.width - 8, box.y + 10, 8, theme.states[severity]) : ''),
    )
  })
  return {
    content: tiles.join(''),
    height: Math.max(layout.isFilled ? layout.height : 60, lines * height + legendHeight),
  }
}

/** The picture, room by room. */
export function drawFloor(zones: readonly FloorZone[], settings: FloorSettings): string {
  const { layout, theme, title, description, moment } = settings
  const isTiled = layout.detail === 'zones' || zones.length === 0
  const tiled = isTiled ? drawTiles(zones, settings) : null
  const rooms = (tiled === null ? zones : []).map((zone, index) => {
    const x = (index % layout.columns) * (layout.roomWidth + roomGap)
    const y = Math.floor(index / layout.columns) * (layout.roomHeight + roomGap)
    return drawRoom(zone, { x, y, width: layout.roomWidth, height: layout.roomHeight }, settings)
  })
  const { width, detail } = layout
  const height = tiled?.height ?? layout.height
  const content = noZones(zones, theme) + (tiled?.content ?? rooms.join(''))
  return drawSheet(isTiled ? 'zones' : detail, { width, height, title, description, moment, content }, theme)
}
