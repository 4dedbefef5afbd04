/** The width of text, so that names are cut to what fits. */

/** Advance widths of DejaVu Sans in hundredths of the font size: the widest of the common sans-serif fonts. */
const characters: Readonly<Record<number, string>> = {
  28: "'ijlIJ",
  33: ' ,.·/:;\\|',
  36: 'f-',
  41: '()[]t!r',
  50: '"*_`°–sz',
  55: '?cLF',
  60: 'kvxyPTYao',
  64: 'eESbdghnpqu$0123456789{}K',
  70: 'AVBRXZC',
  79: 'UHNDG&OQ',
  86: 'w#+<=>^~M',
  100: '%mW@…',
}
const widths = new Map(
  Object.entries(characters).flatMap(([width, all]) => Array.from(all, (one) => [one, Number(width) / 100])),
)
/** Characters that are not in the table, such as those of other scripts. */
const otherWidth = 1.1
const boldFactor = 1.15

export const textWidth = (text: string, size: number, isBold = false): number => {
  let width = 0
  for (const one of text) width += widths.get(one) ?? otherWidth
  return width * size * (isBold ? boldFactor : 1)
}

/** The text, or as much of it as fits, with an ellipsis; empty where not even a letter fits. */
export function fitted(text: string, width: number, size: number, isBold = false): string {
  if (textWidth(text, size, isBold) <= width) return text
  const all = Array.from(text)
  let used = textWidth('…', size, isBold)
  let count = 0
  while (count < all.length) {
    used += textWidth(all[count], size, isBold)
    if (used > width) break
    count++
  }
  return count === 0 ? '' : `${all.slice(0, count).join('').trimEnd()}…`
}

/** As many parts of a sentence as fit whole, from the first that does. */
export function fittingParts(parts: readonly string[], width: number, between = ' · ', bold = false): string {
  const first = Math.max(
    0,
    parts.findIndex((part) => textWidth(part, 11, bold) <= width),
  )
  let text = parts[first] ?? ''
  for (const part of parts.slice(first + 1)) {
    const longer = `${text}${between}${part}`
    if (textWidth(longer, 11, bold) > width) break
    text = longer
  }
  return text
}

/** The words of a text in lines that fit; the last of the lines that are allowed is cut. */
export function wrapped(text: string, width: number, size: number, linesMax: number): readonly string[] {
  const lines: string[] = []
  let current = ''
  const words = text.split(/\s+/)
  for (const [index, word] of words.entries()) {
    const longer = current === '' ? word : `${current} ${word}`
    if (textWidth(longer, size) <= width || current === '') {
      current = longer
      continue
    }
    if (lines.length === linesMax - 1) {
      current = [current, ...words.slice(index)].join(' ')
      break
    }
    lines.push(current)
    current = word
  }
  return [...lines, current].map((line) => fitted(line, width, size)).filter((line) => line !== '')
}
