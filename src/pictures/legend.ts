/** The legend, which is part of each picture. */
import { palette, severityFills } from './palette.ts'
import type { Theme } from './palette.ts'
import { fan, glyph, hatching, pill, pips, withdrawnStroke } from './shapes.ts'
import { element, group, line, path, rect, svg } from './svg.ts'
import type { Size } from './svg.ts'
import { textWidth } from './text-width.ts'

/** A sample to the left of its word; it is drawn in a box of 22 by 10. */
interface Entry {
  readonly text: string
  readonly sample: (x: number, y: number, theme: Theme) => string
}

const bar = (x: number, y: number, there: string, used: string): string =>
  rect({ x, y, width: 22, height: 8 }, { fill: '#12171e' }) +
  rect({ x, y, width: 22, height: 8 }, { fill: there, opacity: 0.36 }) +
  rect({ x, y, width: 13, height: 8 }, { fill: used })

const severityEntry = (severity: number, text: string): Entry => ({
  text,
  sample: (x, y, theme) =>
    rect({ x, y, width: 11, height: 8 }, { fill: severity === 4 ? 'url(#down)' : severityFills[severity] }) +
    glyph(severity, x + 18, y + 4, 8, theme.states[severity]),
})

/** The gravest first, as a narrow legend leaves out what comes last. */
const states: readonly Entry[] = [
  severityEntry(4, 'down'),
  severityEntry(3, 'serious'),
  severityEntry(2, 'warning'),
  {
    text: 'unknown',
    sample: (x, y, theme) =>
      rect({ x, y, width: 22, height: 8 }, { fill: 'none', stroke: theme.soft, 'stroke-dasharray': '2 1.5' }),
  },
]

const warm: Entry = {
  text: 'warm air',
  sample: (x, y) =>
    rect({ x, y: y - 1, width: 22, height: 10 }, { rx: 3, fill: palette.orange, opacity: 0.5 }),
}
const power: Entry = {
  text: 'power drawn',
  sample: (x, y, theme) =>
    rect({ x, y: y + 3, width: 22, height: 2.5 }, { fill: theme.line }) +
    rect({ x, y: y + 3, width: 13, height: 2.5 }, { fill: theme.soft }),
}

const feed: Entry = {
  text: 'load of a feed',
  sample: (x, y, theme) => pill(x + 23, y + 4, 'A', 0, theme).content,
}
const cooling: Entry = {
  text: 'cooling',
  sample: (x, y, theme) => fan(x + 13, y + 4, 7, 0.5, { state: 'running', severity: 0 }, theme),
}

const entries = {
  units: [
    { text: 'host and its CPU', sample: (x, y) => bar(x, y, palette.green, palette.green) },
    ...states,
    { text: 'network device', sample: (x, y) => bar(x, y, palette.blue, palette.sky) },
    warm,
    power,
    feed,
    cooling,
  ],
  racks: [
    { text: 'rack and its power', sample: (x, y) => bar(x, y, palette.green, palette.green) },
    ...states,
    { text: 'rack of the network', sample: (x, y) => bar(x, y, palette.blue, palette.blue) },
    warm,
  ],
  power: [{ text: 'power of a rack', sample: (x, y) => bar(x, y, palette.green, palette.green) }, ...states],
  rack: [
    { text: 'host', sample: (x, y) => bar(x, y, palette.green, palette.green) },
    ...states,
    { text: 'network device', sample: (x, y) => bar(x, y, palette.blue, palette.sky) },
    {
      text: 'inlet with power',
      sample: (x, y) => rect({ x: x + 7, y, width: 8, height: 8 }, { fill: palette.green }),
    },
    {
      text: 'port, cabled or free',
      sample: (x, y) => pips(x + 4, y + 1, 14, 6, [0, null], [palette.sky]),
    },
  ],
  network: [
    { text: 'its load', sample: (x, y) => bar(x, y, palette.sky, palette.sky) },
    ...states,
    {
      text: 'hostile traffic',
      sample: (x, y) =>
        path(`M${x} ${y + 4}h22`, {
          stroke: palette.purple,
          'stroke-width': 4,
          'stroke-dasharray': '.1 5',
          'stroke-linecap': 'round',
        }),
    },
    {
      text: 'link, in and out',
      sample: (x, y, theme) =>
        rect({ x, y, width: 22, height: 8 }, { fill: theme.link }) +
        rect({ x, y: y + 1, width: 22, height: 2 }, { fill: palette.sky }) +
        rect({ x, y: y + 5, width: 22, height: 1.5 }, { fill: palette.sky }),
    },
    {
      text: 'routes not announced',
      sample: (x, y) => withdrawnStroke(`M${x} ${y + 4}h22`),
    },
  ],
  cable: states,
  rows: [
    {
      text: 'rack in order',
      sample: (x, y) => rect({ x, y, width: 22, height: 8 }, { fill: palette.green }),
    },
    ...states,
  ],
  zones: [
    {
      text: 'zone in order',
      sample: (x, y) => rect({ x, y, width: 4, height: 10 }, { fill: palette.green }),
    },
    ...states,
  ],
} as const satisfies Readonly<Record<string, readonly Entry[]>>

interface Sheet extends Size {
  readonly title: string
  readonly description: string
  /** The time that is shown, in words. */
  readonly moment: string
  readonly content: string
}

/** A whole picture with its legend. */
export const drawSheet = (
  kind: keyof typeof entries,
  { content, moment, ...sheet }: Sheet,
  theme: Theme,
): string =>
  svg({
    ...sheet,
    definitions: hatching,
    paper: theme.paper,
    content: content + drawLegend(sheet.width, sheet.height, kind, theme, moment),
  })

/** A picture without zones says so. */
export const noZones = (zones: readonly unknown[], theme: Theme): string =>
  zones.length === 0 ? line(20, 24, 'There are no zones here.', { size: 14, fill: theme.soft }) : ''

/** One line at the bottom: as many entries as fit, and at its right end the moment that is shown. */
function drawLegend(
  width: number,
  height: number,
  kind: keyof typeof entries,
  theme: Theme,
  moment: string,
): string {
  let x = 4
  const end = width - 8 - textWidth(moment, 11)
  const y = height - 15
  const drawn: string[] = []
  for (const { text, sample } of entries[kind] as readonly Entry[]) {
    const needed = 28 + textWidth(text, 11)
    if (x + needed > end) break
    drawn.push(sample(x, y, theme) + line(x + 28, y + 8, text, { fill: theme.soft }))
    x += needed + 16
  }
  const right = line(width - 4, y + 8, moment, { anchor: 'end', fill: theme.soft })
  return group({}, element('title', {}, 'Legend') + drawn.join('')) + right
}
