/** The graphs of a debrief: who knew what when, and what customers felt. */
import { palette, themes } from '../../pictures/palette.ts'
import { glyph } from '../../pictures/shapes.ts'
import {
  at as coordinate,
  element,
  group,
  line,
  path,
  rect,
  svg,
  textSizeMin,
  linked,
} from '../../pictures/svg.ts'
import { textWidth } from '../../pictures/text-width.ts'
import { spanText } from '../../words/moments.ts'
import { dollarsText } from '../../words/phrases.ts'
import type { GameDay, FaultStory } from './game-day.ts'
import type { HarmSample } from './harm.ts'

const { ink, soft, line: rule } = themes.light
const width = 1080
const left = 260
const right = 24
const rowHeight = 50
const headHeight = 30

/** How far the team is with a fault; each phase has a height of its own, so that color is not needed. */
const phases = [
  { name: 'not seen', fill: palette.vermilion, height: 14 },
  { name: 'seen', fill: palette.orange, height: 10 },
  { name: 'cause named', fill: palette.sky, height: 6 },
] as const

/** A step of the axis with at most twelve marks. */
function stepOf(seconds: number): number {
  const steps = [60, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400]
  return steps.find((step) => seconds / step <= 12) ?? Math.ceil(seconds / 12 / 86_400) * 86_400
}

const hourText = (seconds: number): string => (seconds === 0 ? 'start' : spanText(seconds))

interface Axis {
  readonly x: (seconds: number) => number
  readonly marks: readonly number[]
}

function axisOf(lasts: number, from: number, to: number): Axis {
  const step = stepOf(lasts)
  const marks = Array.from({ length: Math.floor(lasts / step) + 1 }, (_, index) => index * step)
  const x = (seconds: number): number =>
    from + (Math.min(Math.max(seconds, 0), lasts) / Math.max(1, lasts)) * (to - from)
  return { x, marks }
}

const gridOf = ({ x, marks }: Axis, top: number, bottom: number): string =>
  group(
    { stroke: rule, 'stroke-width': 1 },
    marks
      .map((mark) => path(`M${coordinate(x(mark))} ${coordinate(top)}V${coordinate(bottom)}`, {}))
      .join(''),
  )

export function timelineFigure(gameDay: GameDay): string {
  const { faults, lasts } = gameDay
  const height = headHeight + Math.max(1, faults.length) * rowHeight + 44
  const axis = axisOf(lasts, left, width - right)
  const bottom = height - 40
  return svg({
    width,
    height,
    title: 'Who knew what when',
    description: faults.map(({ number, cause, name }) => `${number}: ${cause} at ${name}`).join('; '),
    definitions: '',
    content:
      gridOf(axis, headHeight - 6, bottom) +
      axis.marks
        .map((mark) => line(axis.x(mark), 16, hourText(mark), { anchor: 'middle', fill: soft }))
        .join('') +
      faults.map((fault, row) => faultRow(fault, axis, headHeight + row * rowHeight, lasts)).join('') +
      (faults.length === 0
        ? line(left, headHeight + 24, 'Nothing broke that anyone felt.', { fill: soft })
        : '') +
      legend(height - 14),
  })
}

function faultRow(fault: FaultStory, { x }: Axis, top: number, lasts: number): string {
  const { number, cause, name, from, to, seen, named, placed, opened, alert, right: orders, hints } = fault
  const end = to ?? lasts
  const middle = top + 24
  const cuts = [from, Math.min(end, seen?.at ?? end), Math.min(end, named?.at ?? end), end]
  const bars = phases.map(({ fill, height }, index) => {
    const [start, stop] = [Math.max(cuts[index], from), Math.max(cuts[index], cuts[index + 1])]
    const box = { x: x(start), y: middle - height / 2, width: x(stop) - x(start), height }
    return stop <= start ? '' : rect({ ...box, width: Math.max(2, box.width) }, { fill, rx: 2 })
  })
  const above = middle - 14
  const marks = [
    opened === null
      ? ''
      : element('circle', { cx: x(opened), cy: above, r: 4, fill: 'none', stroke: ink, 'stroke-width': 1.6 }),
    alert === null ? '' : glyph(2, x(alert.at), above, 9, ink),
    placed === null ? '' : glyph(3, x(placed.at), above, 10, palette.blue),
    ...orders.slice(0, 1).map(({ at }) => glyph(4, x(at), above, 8, palette.green)),
    ...hints.map(({ at }) =>
      line(x(at), above + 4, '?', { anchor: 'middle', bold: true, fill: palette.purple }),
    ),
  ]
  const label = `${cause} at ${name}`
  return linked(
    label,
    null,
    element('circle', { cx: 14, cy: middle, r: 11, fill: ink }) +
      line(14, middle + 4, String(number), { anchor: 'middle', bold: true, fill: '#ffffff' }) +
      line(34, middle - 3, cause, { size: 13, bold: true, fill: ink, width: left - 44 }) +
      line(34, middle + 12, name, { fill: soft, width: left - 44 }) +
      bars.join('') +
      marks.join('') +
      (to === null ? line(x(end) + 3, middle + 4, '→', { fill: ink }) : '') +
      path(`M0 ${coordinate(top + rowHeight)}H${width}`, { stroke: rule }),
  )
}

function legend(y: number): string {
  const entries: readonly (readonly [draw: (x: number) => string, name: string])[] = [
    ...phases.map(
      ({ name, fill, height }) =>
        [
          (x: number) => rect({ x: x - 8, y: y - 4 - height / 2, width: 18, height }, { fill, rx: 2 }),
          name,
        ] as const,
    ),
    [
      (x) => element('circle', { cx: x, cy: y - 4, r: 4, fill: 'none', stroke: ink, 'stroke-width': 1.6 }),
      'incident',
    ],
    [(x) => glyph(2, x, y - 4, 9, ink), 'first alert'],
    [(x) => glyph(3, x, y - 4, 10, palette.blue), 'placed'],
    [(x) => glyph(4, x, y - 4, 8, palette.green), 'right repair ordered'],
    [(x) => line(x, y, '?', { anchor: 'middle', bold: true, fill: palette.purple }), 'hint'],
  ]
  let x = left
  return entries
    .map(([draw, name]) => {
      const entry = draw(x + 8) + line(x + 24, y, name, { fill: soft })
      x += 24 + textWidth(name, textSizeMin) + 20
      return entry
    })
    .join('')
}

const chartWidth = 530
const chartHeight = 210

interface Curve {
  readonly name: string
  readonly values: readonly number[]
}

/** Two curves over the session: what was, in front of what would have been. */
function chart(
  title: string,
  idle: Curve,
  acted: Curve,
  lasts: number,
  valueText: (value: number) => string,
): string {
  const [top, bottom, from, to] = [42, chartHeight - 26, 12, chartWidth - 12]
  const axis = axisOf(lasts, from, to)
  const most = Math.max(1e-9, ...idle.values, ...acted.values)
  const y = (value: number): number => bottom - (value / most) * (bottom - top)
  const points = ({ values }: Curve): string =>
    values.map((value, minute) => `${coordinate(axis.x(minute * 60))} ${coordinate(y(value))}`).join('L')
  const area = (curve: Curve): string =>
    `M${coordinate(from)} ${coordinate(bottom)}L${points(curve)}L${coordinate(axis.x((curve.values.length - 1) * 60))} ${coordinate(bottom)}z`
  const last = ({ name, values }: Curve): string => `${name}: ${valueText(values.at(-1) ?? 0)}`
  return svg({
    width: chartWidth,
    height: chartHeight,
    title,
    description: `${last(idle)}; ${last(acted)}`,
    definitions: '',
    content:
      line(from, 16, title, { size: 13, bold: true, fill: ink }) +
      rect({ x: from, y: 25, width: 14, height: 8 }, { fill: palette.vermilion, opacity: 0.35 }) +
      line(from + 20, 33, idle.name, { fill: soft }) +
      rect({ x: from + 180, y: 25, width: 14, height: 8 }, { fill: palette.blue }) +
      line(from + 200, 33, acted.name, { fill: soft }) +
      gridOf(axis, top, bottom) +
      path(area(idle), { fill: palette.vermilion, opacity: 0.22 }) +
      path(`M${points(idle)}`, {
        fill: 'none',
        stroke: palette.vermilion,
        'stroke-width': 1.4,
        'stroke-dasharray': '4 3',
      }) +
      path(area(acted), { fill: palette.blue, opacity: 0.3 }) +
      path(`M${points(acted)}`, { fill: 'none', stroke: palette.blue, 'stroke-width': 2 }) +
      path(`M${from} ${coordinate(bottom)}H${to}`, { stroke: soft }) +
      line(to, top - 4, valueText(most), { anchor: 'end', fill: soft }) +
      axis.marks
        .filter((_, index) => index % 2 === 0)
        .map((mark) =>
          line(axis.x(mark), chartHeight - 10, hourText(mark), {
            anchor: mark === 0 ? 'start' : 'middle',
            fill: soft,
          }),
        )
        .join(''),
  })
}

const running = (samples: readonly HarmSample[]): number[] => {
  let sum = 0
  return samples.map(({ dollarsPerHour }) => (sum += dollarsPerHour / 60))
}

/** Null if the worlds were not run again. */
export function harmFigures({ harm, lasts }: GameDay): readonly [customers: string, dollars: string] | null {
  if (harm === null) return null
  const [idle, acted] = ['had nothing been done', 'as it was']
  const customers = (samples: readonly HarmSample[]): number[] => samples.map((sample) => sample.customers)
  return [
    chart(
      'Customers in trouble',
      { name: idle, values: customers(harm.idle) },
      { name: acted, values: customers(harm.acted) },
      lasts,
      (value) => `${Math.round(value)}`,
    ),
    chart(
      'Revenue of customers in trouble, summed up',
      { name: idle, values: running(harm.idle) },
      { name: acted, values: running(harm.acted) },
      lasts,
      dollarsText,
    ),
  ]
}
