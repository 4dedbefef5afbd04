/** The back of a rack: the inlets of each device with the power feeds that reach them, its ports and their cables. */
import type { PowerFeed } from '../floor/description.ts'
import type { MountedDevice } from '../floor/elevation.ts'
import { palette, severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import { drawnSeverity, glyph, pips } from '../shapes.ts'
import { at, line, path, rect } from '../svg.ts'
import type { Box } from '../svg.ts'

/** A cable to a switch of the rack. */
interface RackCable {
  /** The index of the switch among those of the rack. */
  readonly to: number
  readonly severity: number
}

export interface CabledDevice extends MountedDevice {
  /** Null for a device without a power supply. */
  readonly liveFeeds: number | null
  /** The severity of each port, null for one without a cable. */
  readonly ports: readonly (number | null)[]
  readonly cables: readonly RackCable[]
  /** The devices elsewhere that it is connected to, in words. */
  readonly elsewhere: string
}

interface DescribedBack {
  readonly feeds: readonly PowerFeed[]
  readonly devices: readonly CabledDevice[]
  /** The names of its switches, the highest first. */
  readonly switches: readonly string[]
}

type BoxOf = (device: MountedDevice) => Box

const railStep = 18
/** Between the front and the back, for the rails of both feeds. */
export const railsWidth = 3 * railStep
const ductStep = 14
const ductsMax = 8
const ductsGap = 16
const inletSize = 8
/** More are drawn as one row of marks without gaps. */
const portWidthMax = 7

const ductX = (right: number, index: number): number => right + ductsGap + index * ductStep

/** Whether a feed reaches a device; null where it is known that only one of both does, but not which. */
function isFedBy({ liveFeeds }: CabledDevice, feed: PowerFeed, feeds: readonly PowerFeed[]): boolean | null {
  const live = feeds.filter(({ isLive }) => isLive).length
  if (!feed.isLive || liveFeeds === null || liveFeeds <= 0) return false
  return liveFeeds >= live ? true : null
}

function drawInlets(device: CabledDevice, box: Box, feeds: readonly PowerFeed[]): string {
  if (device.liveFeeds === null) return ''
  return feeds
    .map((feed, index) => {
      const isFed = isFedBy(device, feed, feeds)
      const inlet = {
        x: box.x + 4 + index * (inletSize + 3),
        y: box.y + box.height / 2 - inletSize / 2,
        width: inletSize,
        height: inletSize,
      }
      if (isFed === false)
        return glyph(4, inlet.x + inletSize / 2, inlet.y + inletSize / 2, inletSize - 2, severityFills[4])
      const look =
        isFed === null
          ? { fill: 'none', stroke: severityFills[2], 'stroke-dasharray': '2 1.5' }
          : { fill: palette.green }
      return rect(inlet, look)
    })
    .join('')
}

/** A device from behind. */
export function drawBack(device: CabledDevice, box: Box, feeds: readonly PowerFeed[], theme: Theme): string {
  const severity = drawnSeverity(device.condition)
  const left = box.x + 8 + 2 * (inletSize + 3)
  const space = box.x + box.width - left - 6
  const width = Math.min(space, device.ports.length * portWidthMax)
  const ports = { x: box.x + box.width - 6 - width, y: box.y + box.height / 2 - 3 }
  const colors = [palette.sky, palette.sky, ...severityFills.slice(2)]
  return (
    rect(box, {
      fill: '#161c24',
      stroke: severity >= 2 ? severityFills[severity] : theme.cabinetLine,
      'stroke-width': severity >= 2 ? 1.4 : 0.6,
      'stroke-dasharray': device.condition === null ? '3 2' : null,
    }) +
    drawInlets(device, box, feeds) +
    (width > 0 ? pips(ports.x, ports.y, width, 6, device.ports, colors) : '')
  )
}

/** Both feeds as rails at the left of the back, with a branch to each device that they reach. */
export function drawFeeds({ feeds, devices }: DescribedBack, back: Box, boxOf: BoxOf, theme: Theme): string {
  return feeds
    .map((feed, index) => {
      const x = back.x - railsWidth + (index + 1) * railStep
      const color = feed.isLive ? theme.states[0] : severityFills[4]
      const branches = (wanted: true | null): string =>
        devices
          .filter((device) => isFedBy(device, feed, feeds) === wanted)
          .map((device) => {
            const { y, height } = boxOf(device)
            return `M${at(x)} ${at(y + height / 2 + 2 * index - 1)}H${at(back.x)}`
          })
          .join('')
      return (
        path(`M${at(x)} ${at(back.y)}V${at(back.y + back.height)}`, {
          stroke: color,
          'stroke-width': 4,
          'stroke-dasharray': feed.isLive ? null : '5 4',
        }) +
        path(branches(true), { stroke: color, 'stroke-width': 1, opacity: 0.7 }) +
        path(branches(null), { stroke: severityFills[2], 'stroke-width': 1, 'stroke-dasharray': '2 2' }) +
        line(x, back.y - 6, feed.name, { anchor: 'middle', bold: true, fill: color })
      )
    })
    .join('')
}

/** A duct for each switch of the rack at the right of the back, with a branch to each device that is cabled to it. */
export function drawCables({ devices, switches }: DescribedBack, back: Box, boxOf: BoxOf): string {
  const right = back.x + back.width
  return switches
    .slice(0, ductsMax)
    .map((name, index) => {
      const x = ductX(right, index)
      const own = devices.filter((device) => device.name === name).map((device) => ({ device, severity: 0 }))
      const cabled = devices.flatMap((device) =>
        device.cables.filter(({ to }) => to === index).map(({ severity }) => ({ device, severity })),
      )
      const middleOf = (device: MountedDevice): number => {
        const { y, height } = boxOf(device)
        return y + height / 2 + index * 2 - 3
      }
      const ends = [...own, ...cabled].map(({ device }) => middleOf(device))
      if (ends.length < 2) return ''
      const branch = ({ device, severity }: (typeof cabled)[number]): string => {
        const middle = middleOf(device)
        const isCut = severity >= 3
        return (
          path(`M${at(right)} ${at(middle)}H${at(x)}`, {
            stroke: isCut ? severityFills[4] : palette.sky,
            'stroke-width': 1.4,
            'stroke-dasharray': isCut ? '3 3' : null,
          }) + (isCut ? glyph(4, right + 8, middle, 6, severityFills[4]) : '')
        )
      }
      const duct = { stroke: palette.sky, 'stroke-width': 3, opacity: 0.8 }
      return (
        path(`M${at(x)} ${at(Math.min(...ends))}V${at(Math.max(...ends))}`, duct) +
        [...cabled, ...own].map(branch).join('')
      )
    })
    .join('')
}

/** The peers of each device in other racks, beside the ducts. */
export function drawElsewhere(
  { devices, switches }: DescribedBack,
  back: Box,
  boxOf: BoxOf,
  end: number,
  theme: Theme,
): string {
  const x = ductX(back.x + back.width, Math.min(ductsMax, switches.length)) - 4
  return devices
    .map((device) => {
      const { y, height } = boxOf(device)
      const text = device.elsewhere === '' ? '' : `→ ${device.elsewhere}`
      return line(x, y + height / 2 + 4, text, { fill: theme.soft, width: end - x - 6 })
    })
    .join('')
}
