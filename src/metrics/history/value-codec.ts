import type { HistoryMetric } from '../../contract/history.ts'

/** The largest code of a value. */
const codeMax = 65_534

/** Float32 mantissa bits that a logarithmic code drops; it keeps eleven. */
const droppedBits = 12
const roundingBit = 1 << (droppedBits - 1)

const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

/** Encodes the values of a metric as 16-bit codes and back. */
export interface ValueCodec {
  readonly encode: (value: number) => number
  readonly decode: (code: number) => number
}

const clamped = (code: number): number => (code > 0 ? Math.min(code, codeMax) : 0)

/** Divides the range evenly. */
function linearCodec({ min, max }: HistoryMetric): ValueCodec {
  const part = (max - min) / codeMax
  const partsAUnit = 1 / part
  return {
    encode: (value) => clamped(Math.trunc((value - min) * partsAUnit + 0.5)),
    decode: (code) => min + code * part,
  }
}

/**
 * A code is the upper bits of the value's float32 minus those of the smallest value: no logarithm is computed, and
 * twelve significant bits remain. Values below the smallest one, zero and negative ones included, become code 0.
 */
function logarithmicCodec({ min }: HistoryMetric): ValueCodec {
  float[0] = min
  const firstBits = (bits[0] >>> droppedBits) - 1
  return {
    encode(value) {
      float[0] = value
      return clamped(((bits[0] + roundingBit) >> droppedBits) - firstBits)
    },
    decode(code) {
      if (code === 0) return 0
      bits[0] = (code + firstBits) << droppedBits
      return float[0]
    },
  }
}

export const codecOf = (metric: HistoryMetric): ValueCodec =>
  metric.scale === 'log' ? logarithmicCodec(metric) : linearCodec(metric)
