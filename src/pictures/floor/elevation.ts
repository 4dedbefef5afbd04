/** Devices in a rack, to scale: dim where they stand, bright as far as they are loaded, in the color of their state. */
import { palette, severityFills } from '../palette.ts'
import { drawnSeverity, shareOf } from '../shapes.ts'
import type { DrawnState } from '../shapes.ts'
import { boxPath, group, path, linked } from '../svg.ts'
import type { Attributes, Box } from '../svg.ts'

export interface MountedDevice {
  readonly name: string
  readonly kind: 'host' | 'network'
  /** Null where an upstream did not tell it. */
  readonly condition: DrawnState | null
  readonly share: number | null
  readonly startU: number
  readonly sizeU: number
  /** Its name, state and load for the pointer; empty in a background. */
  readonly summary: string
  readonly href: string | null
  /** Whether it recedes before those that the picture is about. */
  readonly recedes: boolean
}

/** The bar of a device in a rack of a box. */
function unitBox({ x, y, width, height }: Box, heightU: number, device: MountedDevice): Box {
  const unit = height / Math.max(1, heightU)
  const space = unit >= 4 ? 1 : unit * 0.2
  const inset = Math.min(3, width * 0.08)
  return {
    x: x + inset,
    y: y + height - (device.startU - 1 + device.sizeU) * unit + space / 2,
    width: width - 2 * inset,
    height: device.sizeU * unit - space,
  }
}

const kindColors = { host: [palette.green, palette.green], network: [palette.blue, palette.sky] } as const

/** The looks of a device: where it stands, and as far as it is loaded. */
function looksOf({ kind, condition, recedes }: MountedDevice): readonly [there: string, used: string] {
  if (recedes) return ['receding there', 'receding used']
  if (condition === null) return ['unknown', 'unknown']
  const severity = drawnSeverity(condition)
  return severity >= 2 ? [`${severity} there`, `${severity} used`] : [`${kind} there`, `${kind} used`]
}

function attributesOf(look: string, isFine: boolean): Attributes {
  const [what, part] = look.split(' ')
  if (what === 'unknown')
    return { fill: 'none', stroke: palette.gray, 'stroke-width': 0.8, 'stroke-dasharray': '2 1.5' }
  const isThere = part === 'there'
  if (what === 'host' || what === 'network')
    return { fill: kindColors[what][isThere ? 0 : 1], opacity: isThere ? 0.36 : null }
  if (what === 'receding') return { fill: palette.gray, opacity: isThere ? 0.16 : 0.22 }
  const severity = Number(what)
  if (severity === 4) return { fill: isFine ? severityFills[4] : 'url(#down)' }
  return { fill: severityFills[severity], opacity: isThere ? 0.45 : null }
}

/** All devices of a rack, as one path for each look. */
export function drawElevation(box: Box, heightU: number, devices: readonly MountedDevice[]): string {
  const paths = new Map<string, string>()
  const add = (look: string, shape: Box) => paths.set(look, (paths.get(look) ?? '') + boxPath(shape))
  for (const device of devices) {
    const shape = unitBox(box, heightU, device)
    const [there, used] = looksOf(device)
    add(there, shape)
    const share = shareOf(device.share)
    const isDown = device.condition !== null && drawnSeverity(device.condition) >= 4
    if (share !== null && share > 0 && !isDown && device.condition !== null)
      add(used, { ...shape, width: shape.width * share })
  }
  const isFine = box.height / Math.max(1, heightU) < 3.5
  return Array.from(paths, ([look, d]) => path(d, attributesOf(look, isFine))).join('')
}

/** Invisible areas over the devices of a rack, which lead to each of them. */
export const deviceAreas = (box: Box, heightU: number, devices: readonly MountedDevice[]): string =>
  group(
    { 'fill-opacity': 0 },
    devices
      .map((device) => linked(device.summary, device.href, path(boxPath(unitBox(box, heightU, device)), {})))
      .join(''),
  )
