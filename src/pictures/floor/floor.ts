/** The floor: zones as rooms, racks in their rows as front elevations to scale, power, cooling and warmth. */
import { drawLegend } from '../legend.ts'
import { severityFills } from '../palette.ts'
import { drawnSeverity, glyph, hatching } from '../shapes.ts'
import { line, rect, svg, thing } from '../svg.ts'
import type { FloorSettings, FloorZone } from './description.ts'
import { legendHeight, pictureWidth, roomGap } from './floor-layout.ts'
import { drawRoom } from './room.ts'

/** Zones as tiles, where there are too many for rooms. */
function drawTiles(
  zones: readonly FloorZone[],
  { theme }: FloorSettings,
): { content: string; height: number } {
  const columns = Math.max(1, Math.ceil(Math.sqrt(zones.length * 1.4)))
  const width = pictureWidth / columns
  const height = Math.max(20, Math.min(64, width * 0.7))
  const tiles = zones.map((zone, index) => {
    const x = (index % columns) * width
    const y = Math.floor(index / columns) * height
    const severity = drawnSeverity(zone.condition)
    const box = { x: x + 1.5, y: y + 1.5, width: width - 3, height: height - 3 }
    const fill = zone.condition === null ? 'none' : severityFills[severity]
    return thing(
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
  return { content: tiles.join(''), height: Math.ceil(zones.length / columns) * height + legendHeight }
}

function whole(settings: FloorSettings, width: number, height: number, content: string): string {
  const { theme, title, description } = settings
  const ground = theme.paper === null ? '' : rect({ x: 0, y: 0, width, height }, { fill: theme.paper })
  return svg({
    width,
    height,
    title,
    description,
    definitions: hatching('#5c1f00'),
    content: ground + content,
  })
}

/** The picture, room by room. */
export function drawFloor(zones: readonly FloorZone[], settings: FloorSettings): string {
  const { layout, theme } = settings
  if (layout.detail === 'zones' || zones.length === 0) {
    const { content, height } = drawTiles(zones, settings)
    const none =
      zones.length === 0 ? line(20, 24, 'There are no zones here.', { size: 14, fill: theme.soft }) : ''
    const bottom = Math.max(60, height)
    return whole(
      settings,
      pictureWidth,
      bottom,
      none + content + drawLegend(pictureWidth, bottom, 'zones', theme, settings.moment),
    )
  }
  const rooms = zones.map((zone, index) => {
    const box = {
      x: (index % layout.columns) * (layout.roomWidth + roomGap),
      y: Math.floor(index / layout.columns) * (layout.roomHeight + roomGap),
      width: layout.roomWidth,
      height: layout.roomHeight,
    }
    return drawRoom(zone, box, settings)
  })
  const legend = drawLegend(layout.width, layout.height, layout.detail, theme, settings.moment)
  return whole(settings, layout.width, layout.height, rooms.join('') + legend)
}
