/** Longest part of a foreign text in a message, in characters. */
const quotedMax = 64

/** A foreign text, or its beginning. */
export const shortened = (text: string): string =>
  text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text

/** A foreign text in a message: with quotes and control characters escaped. */
export const quoted = (text: string): string =>
  `${JSON.stringify(text.slice(0, quotedMax))}${text.length > quotedMax ? '…' : ''}`
