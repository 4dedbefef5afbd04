/** Control and format characters (line ends, escapes, bidirectional overrides), line separators, lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

const escapeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/**
 * Makes untrusted text safe to write to a terminal or a log as part of one line. Escapes have the form of JSON; text
 * beyond the bound is truncated.
 */
export function printable(text: string, lengthMax = 2_000): string {
  const escaped = text
    .slice(0, lengthMax)
    .replace(unprintable, (character) =>
      Array.from({ length: character.length }, (_, unit) => escapeOf(character.charCodeAt(unit))).join(''),
    )
  return text.length > lengthMax ? `${escaped}…` : escaped
}

/** The lines of a text, each made safe; names of a foreign world may have control characters. */
export const printableLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => printable(line, Infinity))
    .join('\n')
