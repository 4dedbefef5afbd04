/** Links as curves: as wide as they can carry, with their traffic in both directions as two lanes within. */
import { thresholds } from '../../contract/thresholds.ts'
import { palette, severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import { glyph, shareOf, withdrawnStroke } from '../shapes.ts'
import { at, group, path, titledPath } from '../svg.ts'
import type { Box } from '../svg.ts'
import type { NetworkLink } from './description.ts'

/** All links between two cards. */
export interface DrawnLink extends NetworkLink {
  readonly fromBox: Box
  readonly toBox: Box
  /** How they are routed: down a tier, within one, or to another zone along a rail. */
  readonly way: 'down' | 'beside' | 'rail'
  /** Of a rail: how far below the card. */
  readonly railBelow: number
  readonly summary: string
}

interface Point {
  readonly x: number
  readonly y: number
}

const bottomOf = ({ x, y, width, height }: Box, shift: number): Point => ({
  x: x + width / 2 + shift,
  y: y + height,
})
const topOf = ({ x, y, width }: Box, shift: number): Point => ({ x: x + width / 2 + shift, y })

const whole = Math.round

/** The curve of a link, moved to the side for a lane. */
function curve({ fromBox, toBox, way, railBelow }: DrawnLink, shift: number): string {
  const from = bottomOf(fromBox, shift)
  const to = way === 'down' ? topOf(toBox, shift) : bottomOf(toBox, shift)
  const start = `M${at(from.x)} ${at(from.y)}`
  const across = at(to.x - from.x)
  if (way === 'rail') return `${start}v${at(railBelow + shift)}h${across}v${at(-railBelow - shift)}`
  const height = to.y - from.y
  const bends = way === 'down' ? [height * 0.55, height * 0.45] : [20 + shift, 20 + shift]
  return `${start}c0 ${whole(bends[0])} ${across} ${whole(bends[1])} ${across} ${at(height)}`
}

const middleOf = ({ fromBox, toBox, way, railBelow }: DrawnLink): Point => {
  const from = bottomOf(fromBox, 0)
  const to = way === 'down' ? topOf(toBox, 0) : bottomOf(toBox, 0)
  const y = way === 'down' ? (from.y + to.y) / 2 : from.y + (way === 'rail' ? railBelow : 15)
  return { x: (from.x + to.x) / 2, y }
}

const widthMin = 4
const widthMax = 12

/** Each doubling of capacity makes a link wider. */
const widthOf = ({ capacityGbps }: NetworkLink): number =>
  Number.isFinite(capacityGbps)
    ? Math.min(widthMax, widthMin + Math.max(0, Math.log2(Math.max(1, capacityGbps) / 10)))
    : widthMin

function dashOf(link: NetworkLink): string {
  if (link.severity >= 4) return '5 4'
  if (link.severity >= 3) return '9 3'
  const isKnown = [link.capacityGbps, link.inGbps, link.outGbps].every(Number.isFinite)
  return isKnown ? '' : '2 2'
}

function laneColor(share: number): string {
  if (share >= thresholds.linkLoadFull) return severityFills[4]
  return share >= thresholds.linkLoadHigh ? severityFills[3] : palette.sky
}

/** A link with little traffic is no more than hinted at. */
const strength = (share: number): number => (share < 0.12 ? 0.4 : share < 0.3 ? 0.7 : 1)

/** Paths of one look, which are drawn as one unless each has a title. */
class Strokes {
  readonly #byLook = new Map<string, { merged: string; titled: string }>()

  add(look: string, d: string, summary = ''): void {
    const known = this.#byLook.get(look) ?? { merged: '', titled: '' }
    this.#byLook.set(look, known)
    if (summary === '') known.merged += d
    else known.titled += titledPath(summary, d)
  }

  drawn(): string {
    return Array.from(this.#byLook, ([look, { merged, titled }]) => {
      const [stroke, width, dash, opacity] = look.split('|')
      const attributes = {
        stroke,
        'stroke-width': Number(width),
        'stroke-dasharray': dash === '' ? null : dash,
        'stroke-linecap': dash === dots ? 'round' : null,
        opacity: opacity === '1' ? null : opacity,
      }
      return group(attributes, path(merged, {}) + titled)
    }).join('')
  }
}

const dots = '.1 5'

const inHalves = (value: number): number => Math.round(value * 2) / 2

interface Layers {
  readonly base: Strokes
  readonly lanes: Strokes
  readonly hostile: Strokes
  /** The curves of links through which no routes are announced. */
  readonly withdrawn: string[]
}

function addLink(link: DrawnLink, summary: string, layers: Layers, theme: Theme): void {
  const width = inHalves(widthOf(link))
  const { severity, capacityGbps } = link
  const isCut = severity >= 4
  if (link.isWithdrawn && !isCut) layers.withdrawn.push(curve(link, 0))
  const color = severity >= 2 ? severityFills[Math.min(4, severity)] : theme.link
  layers.base.add(
    `${color}|${isCut ? Math.min(4, width) : width}|${dashOf(link)}|${severity >= 2 ? 0.9 : 1}`,
    curve(link, 0),
    summary,
  )
  if (!isCut)
    for (const [gbps, side] of [
      [link.inGbps, -1],
      [link.outGbps, 1],
    ] as const) {
      const share = shareOf(capacityGbps > 0 ? gbps / capacityGbps : null)
      if (share === null || share === 0) continue
      const lane = Math.max(1, inHalves((share * width) / 2))
      layers.lanes.add(`${laneColor(share)}|${lane}||${strength(share)}`, curve(link, (side * width) / 4))
    }
  if (link.isHostile) layers.hostile.add(`${palette.purple}|4|${dots}|1`, curve(link, 0))
}

/** All links; those in trouble have a mark in their middle. */
export function drawLinks(links: readonly DrawnLink[], hasTitles: boolean, theme: Theme): string {
  const layers: Layers = {
    base: new Strokes(),
    lanes: new Strokes(),
    hostile: new Strokes(),
    withdrawn: [],
  }
  const marks: string[] = []
  for (const link of links) {
    addLink(link, hasTitles ? link.summary : '', layers, theme)
    const { severity } = link
    if (severity < 2) continue
    const { x, y } = middleOf(link)
    marks.push(glyph(severity, x, y, 9, severityFills[Math.min(4, severity)]))
  }
  const above =
    layers.lanes.drawn() +
    layers.hostile.drawn() +
    withdrawnStroke(layers.withdrawn.join('')) +
    marks.join('')
  return group({ fill: 'none' }, layers.base.drawn() + group({ 'pointer-events': 'none' }, above))
}
