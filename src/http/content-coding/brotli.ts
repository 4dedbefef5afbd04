import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { limitConcurrency, segmentWithoutChecksum } from './content-coding.ts'
import type { ContentCoding } from './content-coding.ts'

const brotliCompressAsync = promisify(brotliCompress)
const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }

/** RFC 7932 has no way to join streams: segments stay uncompressed, and each body is compressed as a whole. */
export const brotli: ContentCoding = {
  compress: async (plain) => segmentWithoutChecksum(plain),
  assemble: (head, segment, tail) =>
    limitConcurrency(async () => [
      await brotliCompressAsync(Buffer.concat([head, segment.bytes, tail]), { params }),
    ]),
}
