/** A rack by itself: its front with the names and loads of its devices, its back with their feeds and cables. */
import type { PowerFeed } from '../floor/description.ts'
import type { MountedDevice } from '../floor/elevation.ts'
import { drawSheet } from '../legend.ts'
import { palette, severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import { drawnSeverity, glyph, percentText, pill, stateColor } from '../shapes.ts'
import type { DrawnState } from '../shapes.ts'
import { boxPath, line, path, rect, linked } from '../svg.ts'
import type { Box, Size } from '../svg.ts'
import { fitted, fittingParts, textWidth } from '../text-width.ts'
import { drawBack, drawCables, drawElsewhere, drawFeeds, railsWidth } from './rack-back.ts'
import type { CabledDevice } from './rack-back.ts'

interface DescribedRack {
  readonly name: string
  readonly place: string
  readonly state: DrawnState | null
  readonly facts: readonly string[]
  readonly feeds: readonly PowerFeed[]
  readonly heightU: number
  readonly devices: readonly CabledDevice[]
  /** The names of its switches, the highest first. */
  readonly switches: readonly string[]
  /** The time that is shown, in words. */
  readonly moment: string
}

const usualWidth = 880
const usualUnit = 16
/** Lower devices have no name, or no frame, which would cross it. */
const [namedHeightMin, framedHeightMin] = [9, 12]
const top = 70
const legend = 26
const frontLeft = 34

/** Where the front and the back stand; the back is left out where it has no room. */
function sheetOf(heightU: number, size: Size | null) {
  const width = size?.width ?? usualWidth
  const unit = size === null ? usualUnit : (size.height - top - legend) / heightU
  const hasBack = width >= 540
  const frontWidth = Math.round(hasBack ? width * 0.3523 : width - frontLeft - 8)
  const backLeft = frontLeft + frontWidth + 8 + railsWidth
  const backWidth = Math.round(width * 0.2273)
  /** The bar of a device, at the front or at the back. */
  const boxOf = ({ startU, sizeU }: MountedDevice, x: number, barWidth: number): Box => ({
    x,
    y: top + (heightU - (startU - 1 + sizeU)) * unit + 1,
    width: barWidth,
    height: sizeU * unit - 2,
  })
  return {
    width,
    height: top + heightU * unit + legend,
    unit,
    hasBack,
    frontWidth,
    backLeft,
    backWidth,
    boxOf,
  }
}

function drawFront(device: CabledDevice, box: Box, theme: Theme): string {
  const { name, condition, share, kind } = device
  const severity = drawnSeverity(condition)
  const color = severity >= 2 ? severityFills[severity] : kind === 'host' ? palette.green : palette.sky
  const loadWidth = box.width < 260 ? 40 : 100
  const bar = {
    x: box.x + box.width - loadWidth - 44,
    y: box.y + box.height / 2 - 3,
    width: loadWidth,
    height: 6,
  }
  const isDown = severity >= 4
  const isFramed = severity >= 2 && box.height >= framedHeightMin
  const words = condition === null ? 'unknown' : severity >= 2 ? condition.state : ''
  const nameWidth = box.width - loadWidth - 60
  const isNamed = box.height >= namedHeightMin
  const shown = isNamed ? fitted(words === '' ? name : `${name} · ${words}`, nameWidth, 11) : ''
  return (
    rect(box, {
      fill: kind === 'host' ? '#10251f' : '#0d2436',
      stroke: isFramed ? color : theme.cabinetLine,
      'stroke-width': isFramed ? 1.4 : 0.6,
      'stroke-dasharray': condition === null ? '3 2' : null,
    }) +
    rect({ ...box, width: 4 }, { fill: isDown ? 'url(#down)' : color }) +
    line(box.x + 10, box.y + box.height / 2 + 4, shown, { fill: severity >= 2 ? color : theme.cabinetInk }) +
    path(boxPath(bar), { fill: isDown ? 'url(#down)' : '#2b3642' }) +
    (share === null || isDown
      ? ''
      : path(boxPath({ ...bar, width: bar.width * share }), { fill: color }) +
        line(box.x + box.width - 5, box.y + box.height / 2 + 4, isNamed ? percentText(share) : '', {
          anchor: 'end',
          fill: theme.cabinetInk,
        }))
  )
}

/** Its name and state, its facts, and the feeds of its zone. */
function drawHead(
  { name, place, state, facts }: DescribedRack,
  feeds: readonly PowerFeed[],
  width: number,
  theme: Theme,
): string {
  const word = fitted(state?.state ?? 'unknown', width / 2, 13, true)
  const wordWidth = textWidth(word, 13, true)
  const fill = stateColor(state, theme)
  let pillRight = width - 8
  const pills = feeds.toReversed().map(({ name: feed, isLive, share }) => {
    const text = `${feed} ${isLive ? percentText(share) : 'down'}`
    const drawn = pill(pillRight, 44, text, isLive ? 0 : 4, theme)
    pillRight -= drawn.width + 6
    return drawn.content
  })
  return (
    line(8, 26, `${name}, ${place}`, {
      size: 16,
      bold: true,
      fill: theme.ink,
      width: width - wordWidth - 50,
    }) +
    glyph(drawnSeverity(state), width - wordWidth - 18, 21, 8, fill) +
    line(width - 8, 26, word, { size: 13, bold: true, anchor: 'end', fill }) +
    line(8, 48, fittingParts(facts, pillRight - 12), { fill: theme.soft, width: pillRight - 12 }) +
    pills.join('')
  )
}

export function drawRackSheet(rack: DescribedRack, size: Size | null, theme: Theme): string {
  const { name, place, state, facts, heightU, devices } = rack
  // A zone has two.
  const feeds = rack.feeds.slice(0, 2)
  const { width, height, unit, hasBack, frontWidth, backLeft, backWidth, boxOf } = sheetOf(heightU, size)
  const severity = drawnSeverity(state)
  const cabinets = [
    { x: frontLeft - 4, y: top, width: frontWidth + 8, height: heightU * unit },
    { x: backLeft, y: top, width: backWidth, height: heightU * unit },
  ] as const
  const [front, back] = cabinets
  const backOf = (device: MountedDevice): Box => boxOf(device, backLeft + 4, backWidth - 8)
  const frontOf = (device: MountedDevice): Box => boxOf(device, frontLeft, frontWidth)
  const behind = { ...rack, feeds }
  const numbers = Array.from({ length: heightU }, (_, index) => index + 1).filter(
    (number) => number % 3 === 0 || number === 1,
  )
  const title = `Rack ${name}, ${place}`
  const description = [state?.state ?? 'unknown', ...facts].join('. ')
  const content =
    drawHead(rack, feeds, width, theme) +
    cabinets
      .slice(0, hasBack ? 2 : 1)
      .map((cabinet) =>
        rect(cabinet, {
          rx: 3,
          fill: theme.cabinet,
          stroke: severity >= 2 ? severityFills[severity] : theme.cabinetLine,
          'stroke-width': severity >= 2 ? 2 : 1,
        }),
      )
      .join('') +
    line(front.x, top - 6, 'Front', { fill: theme.soft }) +
    (hasBack ? line(back.x, top - 6, 'Back', { fill: theme.soft }) : '') +
    numbers
      .map((number) =>
        line(24, top + (heightU - number + 0.75) * unit, String(number), {
          anchor: 'end',
          fill: theme.soft,
        }),
      )
      .join('') +
    (hasBack
      ? drawFeeds(behind, back, backOf, theme) +
        drawCables(behind, back, backOf) +
        drawElsewhere(behind, back, backOf, width, theme)
      : '') +
    devices
      .map((device) =>
        linked(
          device.summary,
          device.href,
          drawFront(device, frontOf(device), theme) +
            (hasBack ? drawBack(device, backOf(device), feeds, theme) : ''),
        ),
      )
      .join('')
  return drawSheet('rack', { width, height, title, description, moment: rack.moment, content }, theme)
}
