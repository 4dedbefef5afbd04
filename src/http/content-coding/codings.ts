import { promisify } from 'node:util'
import { brotliCompress, constants, zstdCompress } from 'node:zlib'
import { limitConcurrency, segmentWithoutChecksum } from './content-coding.ts'
import type { ContentCoding } from './content-coding.ts'
import { gzip } from './gzip.ts'

/** Compresses each body as a whole, for the few clients that prefer such a coding to gzip. */
const ofWholeBodies = (compress: (plain: Buffer) => Promise<Uint8Array>): ContentCoding => ({
  compress: async (plain) => segmentWithoutChecksum(plain),
  assemble: (head, segment, tail) =>
    limitConcurrency(async () => [await compress(Buffer.concat([head, segment.bytes, tail]))]),
})

const brotliAsync = promisify(brotliCompress)
const zstdAsync = promisify(zstdCompress)

/** The offered content codings, in the order of preference among those that a client accepts equally. */
export const codings = {
  gzip,
  zstd: ofWholeBodies((plain) => zstdAsync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })),
  br: ofWholeBodies((plain) => brotliAsync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
} as const satisfies Record<string, ContentCoding>

export type CodingName = keyof typeof codings
export type Codings = Readonly<Record<CodingName, ContentCoding>>
export const codingNames = Object.keys(codings) as CodingName[]
