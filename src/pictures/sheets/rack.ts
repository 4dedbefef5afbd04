/** A rack by itself: every device with its name, its load, its feeds on the left and its cables on the right. */
import type { PowerFeed } from '../floor/description.ts'
import type { MountedDevice } from '../floor/elevation.ts'
import { drawLegend } from '../legend.ts'
import { palette, severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import { drawnSeverity, glyph, hatching, percentText, pill, stateColor } from '../shapes.ts'
import type { DrawnState } from '../shapes.ts'
import { at, boxPath, line, path, rect, svg, thing } from '../svg.ts'
import type { Box } from '../svg.ts'
import { fitted, textWidth } from '../text-width.ts'

/** A cable to a switch of the rack. */
interface RackCable {
  /** The index of the switch among those of the rack. */
  readonly to: number
  readonly severity: number
}

export interface CabledDevice extends MountedDevice {
  readonly liveFeeds: number
  readonly cables: readonly RackCable[]
  /** The devices elsewhere that it is connected to, in words. */
  readonly elsewhere: string
}

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
}

const width = 720
const unit = 16
const top = 76
const left = 92
const barWidth = 330
const ductStep = 14
const loadWidth = 120

const boxOf = ({ startU, sizeU }: MountedDevice, heightU: number): Box => ({
  x: left,
  y: top + (heightU - (startU - 1 + sizeU)) * unit + 1,
  width: barWidth,
  height: sizeU * unit - 2,
})

function drawDevice(device: CabledDevice, box: Box, theme: Theme): string {
  const { name, condition, share, kind } = device
  const severity = drawnSeverity(condition)
  const color = severity >= 2 ? severityFills[severity] : kind === 'host' ? palette.green : palette.sky
  const bar = {
    x: box.x + box.width - loadWidth - 44,
    y: box.y + box.height / 2 - 3,
    width: loadWidth,
    height: 6,
  }
  const isDown = severity >= 4
  const words = condition === null ? 'unknown' : severity >= 2 ? condition.state : ''
  const nameWidth = box.width - loadWidth - 60
  const shown = fitted(words === '' ? name : `${name} · ${words}`, nameWidth, 11)
  return (
    rect(box, {
      fill: kind === 'host' ? '#10251f' : '#0d2436',
      stroke: severity >= 2 ? color : theme.cabinetLine,
      'stroke-width': severity >= 2 ? 1.4 : 0.6,
      'stroke-dasharray': condition === null ? '3 2' : null,
    }) +
    rect({ ...box, width: 4 }, { fill: isDown ? 'url(#down)' : color }) +
    line(box.x + 10, box.y + box.height / 2 + 4, shown, { fill: severity >= 2 ? color : theme.cabinetInk }) +
    path(boxPath(bar), { fill: isDown ? 'url(#down)' : '#2b3642' }) +
    (share === null || isDown
      ? ''
      : path(boxPath({ ...bar, width: bar.width * share }), { fill: color }) +
        line(box.x + box.width - 5, box.y + box.height / 2 + 4, percentText(share), {
          anchor: 'end',
          fill: theme.cabinetInk,
        }))
  )
}

/** Both feeds as rails, with a branch to each device that they reach. */
function drawFeeds({ feeds, devices, heightU }: DescribedRack, theme: Theme): string {
  const bottom = top + heightU * unit
  return feeds
    .slice(0, 2)
    .map(({ name, isLive }, index) => {
      const x = 40 + index * 22
      const color = isLive ? theme.states[0] : severityFills[4]
      const branches = devices
        .filter(
          ({ liveFeeds }) =>
            isLive &&
            (liveFeeds > 1 || (liveFeeds === 1 && feeds.filter((feed) => feed.isLive).length === 1)),
        )
        .map((device) => {
          const { y, height } = boxOf(device, heightU)
          return `M${x} ${at(y + height / 2)}H${left}`
        })
      return (
        path(`M${x} ${top}V${bottom}`, {
          stroke: color,
          'stroke-width': 4,
          'stroke-dasharray': isLive ? null : '5 4',
        }) +
        path(branches.join(''), { stroke: color, 'stroke-width': 1, opacity: 0.7 }) +
        line(x, top - 6, name, { anchor: 'middle', bold: true, fill: color })
      )
    })
    .join('')
}

/** A duct for each switch of the rack, with a branch to each device that is cabled to it. */
function drawCables({ devices, switches, heightU }: DescribedRack, theme: Theme): string {
  const right = left + barWidth
  const ducts = switches.slice(0, 8).map((name, index) => {
    const x = right + 16 + index * ductStep
    const own = devices.find((device) => device.name === name)
    const cabled = devices.flatMap((device) =>
      device.cables.filter(({ to }) => to === index).map(({ severity }) => ({ device, severity })),
    )
    const ends = [...cabled.map(({ device }) => device), ...(own === undefined ? [] : [own])].map(
      (device) => {
        const { y, height } = boxOf(device, heightU)
        return y + height / 2 + index * 2 - 3
      },
    )
    if (ends.length < 2) return ''
    const branch = (device: MountedDevice, severity: number): string => {
      const { y, height } = boxOf(device, heightU)
      const middle = y + height / 2 + index * 2 - 3
      const isCut = severity >= 3
      return (
        path(`M${right} ${at(middle)}H${x}`, {
          stroke: isCut ? severityFills[4] : palette.sky,
          'stroke-width': 1.4,
          'stroke-dasharray': isCut ? '3 3' : null,
        }) + (isCut ? glyph(4, right + 8, middle, 6, severityFills[4]) : '')
      )
    }
    return (
      path(`M${x} ${at(Math.min(...ends))}V${at(Math.max(...ends))}`, {
        stroke: palette.sky,
        'stroke-width': 3,
        opacity: 0.8,
      }) +
      cabled.map(({ device, severity }) => branch(device, severity)).join('') +
      (own === undefined ? '' : branch(own, 0))
    )
  })
  const x = right + 26 + Math.min(8, switches.length) * ductStep
  const elsewhere = devices.map((device) => {
    const { y, height } = boxOf(device, heightU)
    return line(x, y + height / 2 + 4, device.elsewhere === '' ? '' : `→ ${device.elsewhere}`, {
      fill: theme.soft,
      width: width - x - 6,
    })
  })
  return ducts.join('') + elsewhere.join('')
}

export function drawRackSheet(rack: DescribedRack, theme: Theme): string {
  const { name, place, state, facts, feeds, heightU, devices } = rack
  const height = top + heightU * unit + 44
  const severity = drawnSeverity(state)
  const cabinet = { x: left - 4, y: top, width: barWidth + 8, height: heightU * unit }
  let pillRight = width - 8
  const pills = feeds
    .slice(0, 2)
    .toReversed()
    .map((feed) => {
      const drawn = pill(
        pillRight,
        44,
        `${feed.name} ${feed.isLive ? percentText(feed.share) : 'down'}`,
        feed.isLive ? 0 : 4,
        theme,
      )
      pillRight -= drawn.width + 6
      return drawn.content
    })
  const numbers = Array.from({ length: heightU }, (_, index) => index + 1).filter(
    (number) => number % 3 === 0 || number === 1,
  )
  const word = fitted(state?.state ?? 'unknown', width / 2, 13, true)
  return svg({
    width,
    height,
    title: `Rack ${name}, ${place}`,
    description: [word, ...facts].join('. '),
    definitions: hatching('#5c1f00'),
    content:
      (theme.paper === null ? '' : rect({ x: 0, y: 0, width, height }, { fill: theme.paper })) +
      line(8, 26, `${name}, ${place}`, {
        size: 16,
        bold: true,
        fill: theme.ink,
        width: width - textWidth(word, 13, true) - 50,
      }) +
      glyph(severity, width - textWidth(word, 13, true) - 18, 21, 8, stateColor(state, theme)) +
      line(width - 8, 26, word, { size: 13, bold: true, anchor: 'end', fill: stateColor(state, theme) }) +
      line(8, 48, facts.join(' · '), { fill: theme.soft, width: pillRight - 12 }) +
      pills.join('') +
      rect(cabinet, {
        rx: 3,
        fill: theme.cabinet,
        stroke: severity >= 2 ? severityFills[severity] : theme.cabinetLine,
        'stroke-width': severity >= 2 ? 2 : 1,
      }) +
      numbers
        .map((number) =>
          line(24, top + (heightU - number) * unit + 12, String(number), { anchor: 'end', fill: theme.soft }),
        )
        .join('') +
      drawFeeds(rack, theme) +
      drawCables(rack, theme) +
      devices
        .map((device) =>
          thing(device.summary, device.href, drawDevice(device, boxOf(device, heightU), theme)),
        )
        .join('') +
      drawLegend(width, height, 'rack', theme),
  })
}
