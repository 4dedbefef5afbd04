/** Elements of SVG as text. Attributes stand in single quotes, so that a data address needs no escapes for them. */
import { fitted } from './text-width.ts'

/** Control characters, formatting characters that reverse text, and halves of pairs, none of which XML or a reader needs. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]+/gu

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&quot;',
}

/** A foreign text for an element or a quoted attribute. */
export const xmlText = (text: string): string =>
  text.replace(invisible, ' ').replace(/[&<>'"]/g, (one) => entities[one])

/** A coordinate: a tenth is less than a pixel. */
export const at = (value: number): string => String(Math.round(value * 10) / 10)

export type Attributes = Readonly<Record<string, string | number | null | undefined>>

const attributeNumber = (name: string, value: number): string =>
  name.endsWith('opacity') ? String(Math.round(value * 100) / 100) : at(value)

const attributesText = (attributes: Attributes): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}='${typeof value === 'number' ? attributeNumber(name, value) : value}'`)
    .join('')

/** An element; attributes are texts of this program, and content is elements. */
export const element = (name: string, attributes: Attributes, content = ''): string =>
  content === ''
    ? `<${name}${attributesText(attributes)}/>`
    : `<${name}${attributesText(attributes)}>${content}</${name}>`

export const group = (attributes: Attributes, content: string): string =>
  content === '' ? '' : element('g', attributes, content)

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Box extends Size {
  readonly x: number
  readonly y: number
}

export const rect = ({ x, y, width, height }: Box, attributes: Attributes): string =>
  element('rect', { x, y, width: Math.max(0, width), height: Math.max(0, height), ...attributes })

/** A box as part of a path, which takes a third of the bytes of an element. */
export const boxPath = ({ x, y, width, height }: Box): string =>
  width <= 0 || height <= 0 ? '' : `M${at(x)} ${at(y)}h${at(width)}v${at(height)}H${at(x)}z`

export const path = (d: string, attributes: Attributes): string =>
  d === '' ? '' : element('path', { d, ...attributes })

interface TextStyle {
  readonly size?: number
  readonly bold?: boolean
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly fill?: string
  /** Text that is wider is cut. */
  readonly width?: number
}

/** The smallest text that can be read in a panel that is as wide as the picture. */
export const textSizeMin = 11

/** A line of text at its baseline; the text is foreign. */
export function line(x: number, y: number, text: string, style: TextStyle = {}): string {
  const { size = textSizeMin, bold = false, anchor = 'start', fill, width = Infinity } = style
  const shown = fitted(text.replace(invisible, ' '), width, size, bold)
  if (shown.trim() === '') return ''
  const attributes = {
    x,
    y,
    'font-size': size === textSizeMin ? null : size,
    'font-weight': bold ? 600 : null,
    'text-anchor': anchor === 'start' ? null : anchor,
    fill,
  }
  return element('text', attributes, xmlText(shown))
}

/** Read out by a screen reader, and shown under the pointer. */
const title = (text: string): string => element('title', {}, xmlText(text) || ' ')

/** Content with its title, as a link if it has an address; without a title in a background, which has no pointer. */
export function linked(text: string, href: string | null, content: string): string {
  if (text === '' || content === '') return content
  return href === null
    ? element('g', {}, title(text) + content)
    : element('a', { href: xmlText(href) }, title(text) + content)
}

/** A path that has no more than its own title. */
export const titledPath = (text: string, d: string): string => element('path', { d }, title(text))

interface Picture extends Size {
  readonly title: string
  readonly description: string
  readonly definitions?: string
  readonly paper?: string | null
  readonly content: string
}

/** A whole picture without any reference to elsewhere. Opened by itself, its paper fills the window. */
export const svg = ({
  title: name,
  description,
  definitions = '',
  paper,
  content,
  ...size
}: Picture): string =>
  element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${at(size.width)} ${at(size.height)}`,
      ...size,
      role: 'img',
      'font-family': 'Inter,system-ui,sans-serif',
      'font-size': textSizeMin,
      style: paper && `background:${paper}`,
    },
    title(name) +
      element('desc', {}, xmlText(description) || ' ') +
      (definitions === '' ? '' : element('defs', {}, definitions)) +
      (paper ? rect({ x: 0, y: 0, ...size }, { fill: paper }) : '') +
      content,
  )

/** The size of a picture, from its opening. */
export function sizeOfSvg(text: string): Size {
  const [, width, height] = /^<svg [^>]*viewBox='0 0 (\S+) (\S+)'/.exec(text) ?? []
  return { width: Number(width), height: Number(height) }
}

/** Drawings for several sizes of a panel, of which the widest that fits is visible: the picture has no size of its own. */
export function fillingPanel(drawings: readonly string[]): string {
  if (drawings.length === 1) return drawings[0]
  const byWidth = drawings.toSorted((one, other) => sizeOfSvg(one).width - sizeOfSvg(other).width)
  const rules: string[] = []
  const variants = byWidth.map((drawn, index) => {
    const { width } = sizeOfSvg(drawn)
    const shown = `.p{display:none}.p${index}{display:inline}`
    if (index > 0) rules.push(`@media(min-width:${at(width)}px){${shown}}`)
    const look = `class='p p${index}' width='100%' height='100%'${index === 0 ? '' : " display='none'"}`
    return drawn.replace(definitions, '').replace(/ width='[^']*' height='[^']*'/, ` ${look}`)
  })
  // A definition is not found within a drawing that is hidden.
  const shared = new Set(byWidth.flatMap((drawn) => definitions.exec(drawn)?.[0] ?? []))
  const content = [element('style', {}, rules.join('')), ...shared, ...variants].join('')
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg' }, content)
}

const definitions = /<defs>.*?<\/defs>/

/** A picture at a place within another. */
export const placedWithin = (x: number, y: number, text: string): string =>
  text.replace(/^<svg /, `<svg x='${at(x)}' y='${at(y)}' `)

/** The picture as an address within a style sheet, as Grafana's Canvas puts it there: `url("…")`. */
export const dataAddress = (text: string): string =>
  `data:image/svg+xml;utf8,${text.replace(/[%#<>"\\\r\n]/g, (one) => encodeURIComponent(one))}`
