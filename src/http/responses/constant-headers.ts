/** Headers of every response. A page of another origin can neither embed a response nor have its type guessed. */
export const constantHeaders = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** Alternating names and values. */
export const constantHeaderPairs: readonly string[] = Object.entries(constantHeaders).flat()
