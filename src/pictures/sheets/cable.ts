/** A cable from a port to its far end: both ports, and what it passes on its way. */
import { drawSheet } from '../legend.ts'
import { severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import { drawnSeverity, glyph, stateColor } from '../shapes.ts'
import type { DrawnState } from '../shapes.ts'
import { at, element, line, path, linked } from '../svg.ts'
import type { Box, Size } from '../svg.ts'
import { textWidth, wrapped } from '../text-width.ts'
import { drawStep, isStackedIn } from './incident.ts'
import type { ChainStep } from './incident.ts'

interface CableEnd extends ChainStep {
  /** Null for an end of which nothing is known. */
  readonly state: DrawnState | null
  readonly summary: string
  readonly href: string | null
}

interface DescribedCable {
  readonly name: string
  /** Null where it is unknown. */
  readonly state: DrawnState | null
  readonly facts: string
  readonly ends: readonly [near: CableEnd, far: CableEnd]
  /** Trays and panels between its ends, in words. */
  readonly way: readonly string[]
  readonly isWayKnown: boolean
  /** The color of its jacket, for a style. */
  readonly color: string | null
  /** Traffic to the far end, and from there. */
  readonly flows: readonly [string, string]
  readonly moment: string
}

const usual = { width: 900, height: 240 } as const
const top = 58
const legend = 26
const cardHeightMax = 122
const stackedHeight = 58
const lineHeight = 14

/** Whole in its own color; dashed where it is down, and finer where its way is unknown. */
function drawLine(cable: DescribedCable, d: string, theme: Theme): string {
  const isDown = drawnSeverity(cable.state) >= 4
  const dashes = isDown ? '9 7' : cable.isWayKnown ? null : '2 4'
  const jacket = path(d, { stroke: theme.line, 'stroke-width': 9, 'stroke-dasharray': dashes })
  const core = isDown ? severityFills[4] : (cable.color ?? theme.soft)
  return jacket + path(d, { stroke: core, opacity: 0.8, 'stroke-width': 5, 'stroke-dasharray': dashes })
}

const mark = (x: number, y: number, theme: Theme): string =>
  element('circle', { cx: x, cy: y, r: 6, fill: theme.cabinet, stroke: theme.cabinetInk, 'stroke-width': 2 })

function drawBeside(cable: DescribedCable, from: number, to: number, y: number, theme: Theme): string {
  const { way, isWayKnown, flows } = cable
  const step = (to - from) / way.length
  const stops = way.map((text, index) => {
    const x = from + (index + 0.5) * step
    const lines = wrapped(text, step - 8, 11, 3)
    const first = y - 16 - (lines.length - 1) * lineHeight
    return (
      (isWayKnown ? mark(x, y, theme) : '') +
      lines
        .map((words, at) => line(x, first + at * lineHeight, words, { anchor: 'middle', fill: theme.soft }))
        .join('')
    )
  })
  const style = { fill: theme.ink, width: (to - from) / 2 - 10 }
  return (
    drawLine(cable, `M${at(from)} ${at(y)}H${at(to)}`, theme) +
    stops.join('') +
    line(from + 8, y + 24, flows[0], style) +
    line(to - 8, y + 24, flows[1], { ...style, anchor: 'end' }) +
    (drawnSeverity(cable.state) >= 4 ? glyph(4, (from + to) / 2, y + 24, 16, severityFills[4]) : '')
  )
}

function drawBelow(cable: DescribedCable, from: number, to: number, width: number, theme: Theme): string {
  const lines = [...wrapped(cable.way.join(' · '), width - 52, 11, 2), cable.flows.join(' · ')]
  const first = (from + to) / 2 + 4 - ((lines.length - 1) * lineHeight) / 2
  return (
    drawLine(cable, `M22 ${at(from)}V${at(to)}`, theme) +
    (drawnSeverity(cable.state) >= 4 ? glyph(4, 22, (from + to) / 2, 16, severityFills[4]) : '') +
    lines
      .map((words, at) => line(44, first + at * lineHeight, words, { fill: theme.soft, width: width - 52 }))
      .join('')
  )
}

function drawHead({ name, state, facts }: DescribedCable, width: number, theme: Theme): string {
  const word = state?.state ?? 'unknown'
  const wordWidth = textWidth(word, 13, true)
  const fill = stateColor(state, theme)
  return (
    line(4, 24, name, { size: 15, bold: true, fill: theme.ink, width: width - wordWidth - 40 }) +
    glyph(drawnSeverity(state), width - wordWidth - 18, 19, 8, fill) +
    line(width - 4, 24, word, { size: 13, bold: true, anchor: 'end', fill, width: width / 2 }) +
    line(4, 44, facts, { fill: theme.soft, width: width - 8 })
  )
}

export function drawCable(cable: DescribedCable, size: Size | null, theme: Theme): string {
  const { width, height } = size ?? usual
  const isStacked = isStackedIn(width)
  const bottom = height - legend
  const cardWidth = isStacked ? width : Math.min(280, Math.round(width * 0.31))
  const cardHeight = isStacked ? stackedHeight : Math.min(cardHeightMax, bottom - top)
  const middle = (top + bottom) / 2
  const boxes: readonly Box[] = [0, 1].map((index) => ({
    x: isStacked ? 0 : index * (width - cardWidth),
    y: isStacked ? (index === 0 ? top : bottom - cardHeight) : middle - cardHeight / 2,
    width: cardWidth,
    height: cardHeight,
  }))
  const cards = cable.ends.map((end, index) => {
    const color = end.state === null ? theme.soft : severityFills[drawnSeverity(end.state)]
    return linked(end.summary, end.href, drawStep(end, boxes[index], color, theme))
  })
  const wire = isStacked
    ? drawBelow(cable, top + cardHeight, bottom - cardHeight, width, theme)
    : drawBeside(cable, cardWidth, width - cardWidth, middle, theme)
  const title = cable.name
  const description = [cable.state?.state ?? 'unknown', cable.facts, ...cable.way].join('. ')
  const content = drawHead(cable, width, theme) + wire + cards.join('')
  return drawSheet('cable', { width, height, title, description, moment: cable.moment, content }, theme)
}
