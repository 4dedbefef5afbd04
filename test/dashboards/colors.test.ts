import { expect, test } from 'vitest'
import {
  bandColors,
  seriesColors,
  severityColors,
  tierColors,
  attention,
  alarm,
  okColor,
} from '../../dashboards/style/look.ts'

type Rgb = readonly [number, number, number]

const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

const rgbOf = (hex: string): Rgb =>
  [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Rgb

/** The transformation of linear RGB for each color vision deficiency (Machado, Oliveira and Fernandes 2009). */
const eyes: Readonly<Record<string, readonly Rgb[]>> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no long cones': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no medium cones': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
}

const through = (matrix: readonly Rgb[], rgb: Rgb): Rgb =>
  matrix.map((row) => row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]) as unknown as Rgb

/** CIE L*a*b* of linear RGB, in which equal distances look about equally different. */
function labOf([r, g, b]: Rgb): Rgb {
  const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b)
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const distance = (one: Rgb, other: Rgb): number => Math.hypot(...one.map((value, at) => value - other[at]))

/** The distance from which two adjacent colors are distinguishable. */
const apart = 10

/** Pairs of colors that are indistinguishable to such eyes. */
function confused(palette: readonly string[], matrix: readonly Rgb[]): string[] {
  const seen = palette.map((hex) => labOf(through(matrix, rgbOf(hex))))
  return palette.flatMap((one, at) =>
    palette.flatMap((other, next) =>
      next > at && distance(seen[at], seen[next]) < apart ? [`${one} ${other}`] : [],
    ),
  )
}

const palettes = {
  bands: Object.values(bandColors),
  severities: Object.values(severityColors),
  plans: Object.values(tierColors),
  thresholds: [okColor, attention, alarm],
  series: [...seriesColors],
}

test.each(Object.keys(eyes))('colors that carry meaning are distinguishable with %s', (kind) => {
  const found = Object.values(palettes).flatMap((palette) => confused(palette, eyes[kind]))
  expect(found).toStrictEqual([])
})

test('red and green of equal lightness, which some people cannot distinguish, are found', () => {
  expect(confused(['#cc3333', '#209020'], eyes['no medium cones'])).toHaveLength(1)
})
