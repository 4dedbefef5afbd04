/** The shapes of a picture, read from its text: their boxes, looks and titles. */
import { textWidth } from '../../src/pictures/text-width.ts'

export interface Shape {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Within the picture; paths of several boxes have one each. */
  readonly boxes: readonly Box[]
  /** Titles of the elements around it, the nearest first. */
  readonly titles: readonly string[]
  readonly text: string
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  title: string
  text: string
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

const token = /<(\/?)([\w-]+)((?: [\w:-]+='[^'<>]*')*)(\/?)>|([^<>]+)/gy

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(/ ([\w:-]+)='([^']*)'/g), ([, name, value]) => [name, unescaped(value)]),
  )
}

const number = String.raw`(-?\d+(?:\.\d+)?)`
const boxInPath = new RegExp(`M${number} ${number}h${number}v${number}H${number}z`, 'g')

function boxesOf({ name, attributes, text }: Open): Box[] {
  const at = (key: string): number => Number(attributes[key] ?? 0)
  if (name === 'rect') return [{ x: at('x'), y: at('y'), width: at('width'), height: at('height') }]
  if (name === 'circle')
    return [{ x: at('cx') - at('r'), y: at('cy') - at('r'), width: 2 * at('r'), height: 2 * at('r') }]
  if (name === 'path')
    return Array.from((attributes['d'] ?? '').matchAll(boxInPath), ([, x, y, width, height]) => ({
      x: Number(x),
      y: Number(y),
      width: Number(width),
      height: Number(height),
    }))
  if (name !== 'text') return []
  const size = Number(attributes['font-size'] ?? 11)
  const width = textWidth(text, size, attributes['font-weight'] === '600')
  const anchor = attributes['text-anchor'] ?? 'start'
  const left = at('x') - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0)
  return [{ x: left, y: at('y') - size * 0.8, width, height: size }]
}

const inheritedNames = new Set(['fill', 'fill-opacity', 'stroke', 'patternUnits'])
const inherited = ({ attributes }: Open): [string, string][] =>
  Object.entries(attributes).filter(([name]) => inheritedNames.has(name))

/** Every element in order. Throws for a text that is no well-formed XML. */
export function shapesOf(svg: string): readonly Shape[] {
  const open: Open[] = []
  const shapes: Shape[] = []
  let end = 0
  const close = (): void => {
    const element = open.pop()!
    const parent = open.at(-1)
    if (element.name === 'title' && parent !== undefined) parent.title = element.text
    shapes.push({
      name: element.name,
      attributes: { ...Object.fromEntries(open.flatMap(inherited)), ...element.attributes },
      boxes: boxesOf(element),
      titles: [element, ...open.toReversed()].map(({ title }) => title).filter((title) => title !== ''),
      text: element.text,
    })
  }
  for (const match of svg.matchAll(token)) {
    end = match.index + match[0].length
    const [, closing, name, attributes, empty, text] = match
    if (text !== undefined) {
      if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(text)) throw new Error(`A bare ampersand in ${text}`)
      open.at(-1)!.text += unescaped(text)
    } else if (closing === '/') {
      if (open.at(-1)?.name !== name) throw new Error(`</${name}> closes <${open.at(-1)?.name}>`)
      close()
    } else {
      open.push({ name, attributes: attributesOf(attributes), title: '', text: '' })
      if (empty === '/') close()
    }
  }
  if (end !== svg.length || open.length > 0) throw new Error(`not XML at ${svg.slice(end, end + 80)}`)
  return shapes
}

const sizeOf = (svg: string): Box => {
  const [, width, height] = /^<svg [^>]*viewBox='0 0 (\S+) (\S+)'/.exec(svg)!
  return { x: 0, y: 0, width: Number(width), height: Number(height) }
}

/** A line of a tenth of a pixel may be rounded away. */
const tolerance = 0.25

export const isWithin = (inner: Box, outer: Box, space = tolerance): boolean =>
  inner.x >= outer.x - space &&
  inner.y >= outer.y - space &&
  inner.x + inner.width <= outer.x + outer.width + space &&
  inner.y + inner.height <= outer.y + outer.height + space

const areApart = (one: Box, other: Box): boolean =>
  one.x + one.width <= other.x + tolerance ||
  other.x + other.width <= one.x + tolerance ||
  one.y + one.height <= other.y + tolerance ||
  other.y + other.height <= one.y + tolerance

/** Pairs of boxes that overlap. */
export function overlapping(boxes: readonly Box[]): readonly (readonly [Box, Box])[] {
  const inOrder = boxes.toSorted((one, other) => one.x - other.x)
  return inOrder.flatMap((one, index) => {
    const found: (readonly [Box, Box])[] = []
    for (const other of inOrder.slice(index + 1)) {
      if (other.x >= one.x + one.width - tolerance) break
      if (!areApart(one, other)) found.push([one, other])
    }
    return found
  })
}

/** Scripts, styles, foreign addresses, shapes outside of the picture and text too small to read. */
export function forbiddenIn(svg: string): readonly string[] {
  const shapes = shapesOf(svg)
  const size = sizeOf(svg)
  const found = shapes.flatMap(({ name, attributes }) => [
    ...(/^(?:script|style|image|use|foreignObject|animate|set|iframe)$/.test(name) ? [`<${name}>`] : []),
    ...Object.entries(attributes)
      .filter(([key, value]) => {
        if (key === 'style') return name !== 'svg' || !/^background:#\w{6}$/.test(value)
        if (/^(?:on|class|src)/.test(key)) return true
        if (key === 'href') return !/^\.\.\/tables\/[\w-]+\?\w+=[\w.~!*'()%-]+$/.test(value)
        return key !== 'xmlns' && /:\/\/|url\((?!#down\))|NaN|Infinity|undefined|null/.test(value)
      })
      .map(([key, value]) => `${key}=${value}`),
  ])
  const outside = shapes
    .filter(({ name }) => name !== 'svg')
    .flatMap(({ name, boxes, text, attributes }) =>
      'patternUnits' in attributes
        ? []
        : boxes
            .filter((box) => !isWithin(box, size, 1))
            .map((box) => `${name} ${text} leaves: ${JSON.stringify(box)}`),
    )
  const unreadable = shapes
    .filter(({ name, attributes }) => name === 'text' && Number(attributes['font-size'] ?? 11) < 11)
    .map(({ text }) => `small: ${text}`)
  return [...found, ...outside, ...unreadable]
}
