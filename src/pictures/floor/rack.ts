/** A rack as a front elevation, its warmth behind it, its power below it. */
import { thresholds } from '../../contract/thresholds.ts'
import { palette, severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import { badge, badgeWidth, drawnSeverity, glyph, shareOf } from '../shapes.ts'
import { boxPath, group, line, path, rect, linked } from '../svg.ts'
import type { Box } from '../svg.ts'
import { textWidth } from '../text-width.ts'
import type { FloorRack, FloorSettings } from './description.ts'
import { drawElevation } from './elevation.ts'

/** Degrees below the threshold at which air begins to glow. */
const glowBelowWarm = 1.5

function glow(box: Box, inletCelsius: number | null, space: number): string {
  const from = thresholds.inletWarmCelsius - glowBelowWarm
  const heat = shareOf(
    inletCelsius === null ? null : (inletCelsius - from) / (thresholds.inletHotCelsius - from),
  )
  if (heat === null || heat === 0) return ''
  const fill = heat > 0.85 ? palette.vermilion : palette.orange
  return [space, space / 2]
    .map((by) =>
      rect(
        { x: box.x - by, y: box.y - by, width: box.width + 2 * by, height: box.height + 2 * by },
        { rx: by + 1, fill, opacity: Math.round((0.15 + 0.35 * heat) * 100) / 100 },
      ),
    )
    .join('')
}

function powerLine({ x, y, width, height }: Box, share: number | null, theme: Theme): string {
  const box = { x, y: y + height + 3, width, height: 2.5 }
  if (share === null) return rect({ ...box, height: 1 }, { fill: theme.soft, opacity: 0.5 })
  const isHigh = share >= thresholds.rackPowerHigh
  return (
    path(boxPath(box), { fill: theme.line }) +
    path(boxPath({ ...box, width: width * share }), { fill: isHigh ? palette.orange : theme.soft })
  )
}

/** Above a rack its name, below it how it is: the temperature of its air, its trouble or its incident. */
export function rackTexts({ x, y, width, height }: Box, rack: FloorRack, theme: Theme): string {
  const { name, condition, inletCelsius, incident } = rack
  const severity = drawnSeverity(condition)
  const middle = x + width / 2
  const space = width + 5
  const below = y + height + 17
  const label = line(x, y - 5, name, { fill: theme.ink, width, bold: severity >= 2 })
  if (incident !== null)
    return label + badge(middle + badgeWidth(incident.text) / 2, below - 4, incident.text, incident.severity)
  if (severity < 2) {
    const text =
      condition === null ? 'unknown' : inletCelsius === null ? '' : `${Math.round(inletCelsius)} °C`
    return label + line(middle, below, text, { anchor: 'middle', fill: theme.soft, width: space })
  }
  const words = condition?.state ?? ''
  const caption = textWidth(words, 11) > space - 11 ? shortState(rack) : words
  const left = middle - Math.min(space, textWidth(caption, 11) + 11) / 2
  return (
    label +
    glyph(severity, left + 4, below - 4, 7, theme.states[severity]) +
    line(left + 11, below, caption, { fill: theme.states[severity], width: space - 11 })
  )
}

/** The state of a rack where there is no room for its words. */
function shortState({ condition, hosts, hostsOnline }: FloorRack): string {
  const text = condition?.state ?? ''
  if (text.includes('one power feed')) return '1 feed'
  if (text.includes('offline')) return `${hosts - hostsOnline} down`
  return text.replace('power nearly full', 'power full').replace('no power', 'off')
}

export function drawRack(box: Box, rack: FloorRack, { theme, layout }: FloorSettings): string {
  const { condition, devices, heightU } = rack
  const severity = drawnSeverity(condition)
  const frame =
    severity >= 2
      ? { stroke: severityFills[severity], 'stroke-width': layout.hasLabels ? 1.8 : 1.2 }
      : { stroke: theme.cabinetLine, 'stroke-width': layout.slotWidth < 14 ? 0.5 : 1 }
  const cabinet = rect(box, {
    rx: layout.slotWidth < 20 ? 0.5 : 2,
    fill: theme.cabinet,
    ...frame,
    'stroke-dasharray': condition === null ? '3 2' : null,
  })
  return (
    glow(box, rack.inletCelsius, Math.min(4, (layout.slotWidth - layout.rackWidth) / 2)) +
    cabinet +
    drawElevation(box, heightU, devices) +
    powerLine(box, rack.powerShare, theme)
  )
}

/** Many racks without their units, as one path for each look. */
export class RackField {
  readonly #paths = new Map<string, string>()
  readonly #areas: string[] = []
  readonly #theme: Theme

  constructor(theme: Theme) {
    this.#theme = theme
  }

  #add(fill: string, box: Box): void {
    this.#paths.set(fill, (this.#paths.get(fill) ?? '') + boxPath(box))
  }

  /** Filled as far as the rack is used, and from the top as far as its hosts are down. */
  add(box: Box, rack: FloorRack): void {
    const { name, summary, href, condition, hosts, hostsOnline, powerShare } = rack
    const severity = drawnSeverity(condition)
    const edge = Math.min(1.5, box.width * 0.12)
    const inner = {
      x: box.x + edge,
      y: box.y + edge,
      width: box.width - 2 * edge,
      height: box.height - 2 * edge,
    }
    const down = shareOf(hosts > 0 ? (hosts - hostsOnline) / hosts : 0) ?? 0
    const used = inner.height * Math.min(powerShare ?? 0, 1 - down)
    this.#add(severity >= 2 ? severityFills[severity] : this.#theme.cabinetLine, box)
    this.#add(condition === null ? palette.gray : this.#theme.cabinet, inner)
    const fill = severity >= 2 ? severityFills[severity] : hosts > 0 ? palette.green : palette.blue
    this.#add(fill, { ...inner, y: inner.y + inner.height - used, height: used })
    if (down > 0) this.#add(severityFills[4], { ...inner, height: Math.max(2, inner.height * down) })
    const title = severity >= 2 ? `${name} · ${condition!.state}` : name
    if (summary !== '') this.#areas.push(linked(title, href, path(boxPath(box), {})))
  }

  drawn(): string {
    const paths = Array.from(this.#paths, ([fill, d]) => path(d, { fill })).join('')
    return paths + group({ 'fill-opacity': 0 }, this.#areas.join(''))
  }
}
