/** An incident: from its cause over its place to those who are hit, above the floor or the network where it is. */
import { severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import { badge, glyph } from '../shapes.ts'
import { line, placedWithin, path, rect, svg } from '../svg.ts'
import { textWidth, wrapped } from '../text-width.ts'

/** A step from the cause to those who are hit. */
interface ChainStep {
  readonly title: string
  readonly headline: string
  readonly lines: readonly string[]
}

interface DescribedIncident {
  readonly number: string
  readonly headline: string
  /** The rank of its band, 1 to 4. */
  readonly severity: number
  readonly steps: readonly ChainStep[]
}

const width = 1100
const top = 44
const cardHeight = 104
const arrow = 34
const padding = 14
const below = 14
const linesMax = 3

function drawStep(
  { title, headline, lines }: ChainStep,
  x: number,
  cardWidth: number,
  color: string,
  theme: Theme,
): string {
  const space = cardWidth - 2 * padding
  const shown = lines.flatMap((text) => wrapped(text, space, 11, 2)).slice(0, linesMax)
  return (
    rect(
      { x: x + 1, y: top, width: cardWidth - 2, height: cardHeight },
      { rx: 8, fill: theme.room, stroke: theme.line },
    ) +
    rect({ x: x + 1, y: top + 8, width: 4, height: cardHeight - 16 }, { fill: color }) +
    line(x + padding, top + 20, title, { fill: theme.soft, width: space }) +
    line(x + padding, top + 41, headline, { size: 15, bold: true, fill: theme.ink, width: space }) +
    shown
      .map((text, index) =>
        line(x + padding, top + 60 + index * 15, text, { fill: theme.soft, width: space }),
      )
      .join('')
  )
}

/** The chain above a picture of the place. */
export function drawIncident(
  { number, headline, severity, steps }: DescribedIncident,
  base: { readonly svg: string; readonly width: number; readonly height: number },
  theme: Theme,
): string {
  const cardWidth = (width - arrow * (steps.length - 1)) / Math.max(1, steps.length)
  const color = severityFills[Math.min(4, Math.max(1, severity))]
  const cards = steps.map((step, index) =>
    drawStep(step, index * (cardWidth + arrow), cardWidth, color, theme),
  )
  const arrows = steps.slice(1).map((_, index) => {
    const x = (index + 1) * cardWidth + index * arrow + 5
    const y = top + cardHeight / 2
    return path(`M${Math.round(x)} ${y}h18m-7 -6l7 6l-7 6`, {
      stroke: color,
      'stroke-width': 2.5,
      fill: 'none',
    })
  })
  const baseTop = top + cardHeight + below
  const height = baseTop + base.height
  const numberWidth = textWidth(number, 11, true) + 14
  return svg({
    width,
    height,
    title: headline,
    description: steps.map((step) => `${step.title}: ${step.headline}. ${step.lines.join(', ')}`).join(' '),
    definitions: '',
    content:
      (theme.paper === null ? '' : rect({ x: 0, y: 0, width, height }, { fill: theme.paper })) +
      badge(4 + numberWidth, 20, number, severity) +
      glyph(severity, numberWidth + 20, 20, 10, theme.states[Math.min(4, severity)]) +
      line(numberWidth + 34, 25, headline, {
        size: 15,
        bold: true,
        fill: theme.ink,
        width: width - numberWidth - 40,
      }) +
      cards.join('') +
      arrows.join('') +
      placedWithin((width - base.width) / 2, baseTop, base.svg),
  })
}

/** A sentence in place of a picture of what is not there. */
export const drawSentence = (sentence: string, isFine: boolean, theme: Theme): string =>
  svg({
    width,
    height: 60,
    title: sentence,
    description: '',
    definitions: '',
    content:
      (theme.paper === null ? '' : rect({ x: 0, y: 0, width, height: 60 }, { fill: theme.paper })) +
      (isFine ? glyph(0, 20, 28, 12, theme.states[0]) : '') +
      line(36, 33, sentence, { size: 15, fill: theme.soft }),
  })
