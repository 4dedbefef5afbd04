import { brotli } from './brotli.ts'
import type { ContentCoding } from './content-coding.ts'
import { gzip } from './gzip.ts'
import { zstd } from './zstd.ts'

/** The offered content codings, in the order of preference among those that a client accepts equally. */
export const codings = { zstd, gzip, br: brotli } as const satisfies Record<string, ContentCoding>

export type CodingName = keyof typeof codings
export type Codings = Readonly<Record<CodingName, ContentCoding>>
export const codingNames = Object.keys(codings) as CodingName[]
