/** An incident: from its cause over its place to those who are hit, above the floor or the network where it is. */
import { severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import { badge, glyph } from '../shapes.ts'
import { line, placedWithin, path, rect, svg } from '../svg.ts'
import type { Box, Size } from '../svg.ts'
import { textWidth, wrapped } from '../text-width.ts'

/** A step from the cause to those who are hit. */
export interface ChainStep {
  readonly title: string
  readonly headline: string
  readonly lines: readonly string[]
}

interface DescribedIncident {
  readonly number: string
  readonly headline: string
  /** The headline without the impact, which the last step has too. */
  readonly title: string
  /** The rank of its band, 1 to 4. */
  readonly severity: number
  readonly steps: readonly ChainStep[]
}

const [usualWidth, top, cardHeight, arrow, padding, below] = [1100, 44, 104, 34, 14, 14]
/** Of steps below each other, where a picture is narrow. */
const stackedHeight = 58
const sideBySideMin = 560

export function drawStep(
  { title, headline, lines }: ChainStep,
  { x, y, width, height }: Box,
  color: string,
  theme: Theme,
): string {
  const space = width - 2 * padding
  const [linesMax, size, ...tops] = height < cardHeight ? [1, 13, 16, 33, 49] : [3, 15, 20, 41, 60]
  const shown = lines.flatMap((text) => wrapped(text, space, 11, Math.min(2, linesMax))).slice(0, linesMax)
  return (
    rect({ x: x + 1, y, width: width - 2, height }, { rx: 8, fill: theme.room, stroke: theme.line }) +
    rect({ x: x + 1, y: y + 8, width: 4, height: height - 16 }, { fill: color }) +
    line(x + padding, y + tops[0], title, { fill: theme.soft, width: space }) +
    line(x + padding, y + tops[1], headline, { size, bold: true, fill: theme.ink, width: space }) +
    shown
      .map((text, index) =>
        line(x + padding, y + tops[2] + index * 15, text, { fill: theme.soft, width: space }),
      )
      .join('')
  )
}

export const isStackedIn = (width: number): boolean => width < sideBySideMin

/** How high the chain is, above the picture of the place. */
export const chainHeight = (width: number, steps: number): number =>
  top + below + (isStackedIn(width) ? steps * (stackedHeight + below) - below : cardHeight)

/** The chain above a picture of the place. */
export function drawIncident(
  { number, headline, title, severity, steps }: DescribedIncident,
  base: { readonly svg: string } & Size,
  size: Size | null,
  theme: Theme,
): string {
  const width = size?.width ?? usualWidth
  const isStacked = isStackedIn(width)
  const cardWidth = isStacked ? width : (width - arrow * (steps.length - 1)) / Math.max(1, steps.length)
  const color = severityFills[Math.min(4, Math.max(1, severity))]
  const cards = steps.map((step, index) => {
    const box = isStacked
      ? { x: 0, y: top + index * (stackedHeight + below), width, height: stackedHeight }
      : { x: index * (cardWidth + arrow), y: top, width: cardWidth, height: cardHeight }
    return drawStep(step, box, color, theme)
  })
  const arrows = steps.slice(1).map((_, index) => {
    const x = isStacked ? width / 2 : (index + 1) * cardWidth + index * arrow + 5
    const y = top + (isStacked ? (index + 1) * (stackedHeight + below) - below + 1 : cardHeight / 2)
    return path(`M${Math.round(x)} ${y}${isStacked ? 'v11m-5 -5l5 5l5 -5' : 'h18m-7 -6l7 6l-7 6'}`, {
      stroke: color,
      'stroke-width': 2.5,
      fill: 'none',
    })
  })
  const baseTop = chainHeight(width, steps.length)
  const height = Math.max(baseTop + base.height, size?.height ?? 0)
  const numberWidth = textWidth(number, 11, true) + 14
  const space = width - numberWidth - 40
  const shown = textWidth(headline, 15, true) <= space ? headline : title
  return svg({
    width,
    height,
    title: headline,
    description: steps.map((step) => `${step.title}: ${step.headline}. ${step.lines.join(', ')}`).join(' '),
    paper: theme.paper,
    content:
      badge(4 + numberWidth, 20, number, severity) +
      glyph(severity, numberWidth + 20, 20, 10, theme.states[Math.min(4, severity)]) +
      line(numberWidth + 34, 25, shown, { size: 15, bold: true, fill: theme.ink, width: space }) +
      cards.join('') +
      arrows.join('') +
      placedWithin((width - base.width) / 2, baseTop, base.svg),
  })
}

/** A sentence in place of a picture of what is not there. */
export function drawSentence(sentence: string, isFine: boolean, size: Size | null, theme: Theme): string {
  const { width, height } = size ?? { width: usualWidth, height: 60 }
  return svg({
    width,
    height,
    title: sentence,
    description: '',
    paper: theme.paper,
    content:
      (isFine ? glyph(0, 20, 28, 12, theme.states[0]) : '') +
      line(36, 33, sentence, { size: 15, fill: theme.soft, width: width - 40 }),
  })
}
