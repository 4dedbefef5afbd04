/** The vocabulary of shapes that all pictures share. */
import { severityFills } from './palette.ts'
import type { Theme } from './palette.ts'
import { at, boxPath, element, group, line, path, rect, textSizeMin } from './svg.ts'
import { textWidth } from './text-width.ts'

/** A state in words, and how grave it is: 0 in order … 4 critical. Null where an upstream did not tell it. */
export interface DrawnState {
  readonly state: string
  readonly severity: number
}

/** A share of 1 that can be drawn; null where it is unknown. */
export const shareOf = (value: number | null): number | null =>
  value === null || !Number.isFinite(value) ? null : Math.min(1, Math.max(0, value))

/** The severity of a state; 0 of an unknown one, which is drawn by its form. */
export const drawnSeverity = (state: DrawnState | null): 0 | 1 | 2 | 3 | 4 =>
  Math.min(4, Math.max(0, Math.trunc(state?.severity ?? 0) || 0)) as 0 | 1 | 2 | 3 | 4

export const stateColor = (state: DrawnState | null, theme: Theme): string =>
  state === null ? theme.soft : theme.states[drawnSeverity(state)]

export const percentText = (share: number | null): string =>
  share === null ? '– %' : `${Math.round(100 * share)} %`

/** The shape of a severity, so that no state is shown by color alone: dot, triangle, diamond, cross. */
export function glyph(severity: number, x: number, y: number, size: number, fill: string): string {
  const half = size / 2
  if (severity >= 4) {
    const d = `M${at(x - half)} ${at(y - half)}l${at(size)} ${at(size)}m0 ${at(-size)}l${at(-size)} ${at(size)}`
    return path(d, { stroke: fill, 'stroke-width': size / 3.5, 'stroke-linecap': 'round', fill: 'none' })
  }
  if (severity === 3)
    return path(
      `M${at(x)} ${at(y - half)}l${at(half)} ${at(half)}l${at(-half)} ${at(half)}l${at(-half)} ${at(-half)}z`,
      { fill },
    )
  if (severity === 2) return path(`M${at(x)} ${at(y - half)}l${at(half)} ${at(size)}h${at(-size)}z`, { fill })
  return element('circle', { cx: x, cy: y, r: size / 3, fill })
}

/** A road that is barred: a link that works, through which no routes are announced. */
export const withdrawnStroke = (d: string): string =>
  path(d, { fill: 'none', stroke: severityFills[4], 'stroke-width': 1.5 }) +
  path(d, { fill: 'none', stroke: severityFills[4], 'stroke-width': 9, 'stroke-dasharray': '2 6' })

/** Stripes over what is down, and dots over what is unknown. */
export const hatching = element(
  'pattern',
  { id: 'down', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
  rect({ x: 0, y: 0, width: 5, height: 5 }, { fill: severityFills[4] }) +
    rect({ x: 0, y: 0, width: 1.8, height: 5 }, { fill: '#5c1f00' }),
)

/** A label on a colored ground. Returns its width too, for what stands beside it. */
export function pill(
  right: number,
  y: number,
  text: string,
  severity: number,
  theme: Theme,
): { readonly content: string; readonly width: number } {
  const height = 17
  const width = Math.ceil(textWidth(text, textSizeMin, true)) + 14
  const color = severity === 0 ? theme.soft : theme.states[Math.min(4, severity)]
  const isGrave = severity >= 4
  const box = { x: right - width + 0.5, y: y - height / 2, width: width - 1, height }
  const fill = isGrave ? severityFills[4] : 'none'
  const content =
    rect(box, { rx: height / 2, fill, stroke: isGrave ? severityFills[4] : color }) +
    line(right - width / 2, y + 4, text, {
      bold: true,
      anchor: 'middle',
      fill: isGrave ? '#ffffff' : color,
    })
  return { content, width }
}

export const badgeWidth = (text: string): number => Math.ceil(textWidth(text, textSizeMin, true)) + 10

/** The number of an incident, in the color of its band; x is its right end. */
export function badge(x: number, y: number, text: string, severity: number): string {
  const width = badgeWidth(text)
  const box = { x: x - width, y: y - 8, width, height: 16 }
  const fill = severityFills[Math.min(4, Math.max(1, severity))]
  return group(
    {},
    rect(box, { rx: 8, fill, stroke: '#0a0e13' }) +
      line(x - width / 2, y + 4, text, { bold: true, anchor: 'middle', fill: '#0a0e13' }),
  )
}

const blade = 'M0-1.5C3.5-4 3-9-.5-9.5C-3-9-3-5 0-1.5z'

/** A fan in a ring that is filled as far as the unit is loaded. A stopped one is crossed out. */
export function fan(
  x: number,
  y: number,
  radius: number,
  share: number | null,
  condition: DrawnState,
  theme: Theme,
): string {
  const severity = drawnSeverity(condition)
  const isStopped = severity >= 3
  const color = severity === 0 ? theme.soft : theme.states[severity]
  const around = 2 * Math.PI * radius
  const ring = element('circle', {
    cx: x,
    cy: y,
    r: radius,
    fill: 'none',
    stroke: isStopped ? color : theme.line,
    'stroke-width': 3,
    'stroke-dasharray': share === null ? '2 3' : null,
  })
  const load =
    share === null || share <= 0 || isStopped
      ? ''
      : element('circle', {
          cx: x,
          cy: y,
          r: radius,
          fill: 'none',
          stroke: severity === 0 ? '#3f9fc4' : color,
          'stroke-width': 3,
          'stroke-dasharray': `${at(around * share)} ${at(around)}`,
          transform: `rotate(-90 ${at(x)} ${at(y)})`,
        })
  const blades = [0, 90, 180, 270].map((angle) => path(blade, { transform: `rotate(${angle})` })).join('')
  const scale = Math.round((radius / 13) * 100) / 100
  const place = `translate(${at(x)} ${at(y)}) scale(${scale})`
  const shape = group({ transform: place, fill: color, opacity: isStopped ? 0.45 : null }, blades)
  return ring + load + shape + (isStopped ? glyph(4, x, y, radius, color) : '')
}

/** A row of small boxes, one for each of many equal things, in the color of each. */
export function pips(
  x: number,
  y: number,
  width: number,
  height: number,
  severities: readonly (number | null)[],
  colors: readonly string[],
): string {
  const step = width / severities.length
  const gap = step >= 3 ? 1 : 0
  const boxes = new Map<number | null, string>()
  for (let from = 0, to = 1; from < severities.length; from = to, to++) {
    const severity = severities[from]
    // Marks that touch each other are one.
    if (gap === 0) while (to < severities.length && severities[to] === severity) to++
    const box = { x: x + from * step, y, width: Math.max(0.4, (to - from) * step - gap), height }
    boxes.set(severity, (boxes.get(severity) ?? '') + boxPath(box))
  }
  return Array.from(boxes, ([severity, d]) =>
    severity === null
      ? path(d, { fill: 'none', stroke: '#999999', 'stroke-width': 0.5 })
      : path(d, { fill: colors[severity] }),
  ).join('')
}
