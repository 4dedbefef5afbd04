import type { SeededRandom } from '../fixtures/seeded-random.ts'

interface Damage {
  readonly name: string
  readonly apply: (random: SeededRandom, bytes: Buffer) => Buffer
}

export const largeNumbers = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff]

/** Flips a bit between two positions. */
export function flip(random: SeededRandom, bytes: Buffer, from = 0, to = bytes.length): void {
  if (to > from) bytes[from + random.below(to - from)] ^= 1 << random.below(8)
}

export const randomBytes = (random: SeededRandom, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random.below(256)))

/** Damage to a file of any format. */
export const damages: readonly Damage[] = [
  {
    name: 'flipped bits',
    apply(random, bytes) {
      for (let count = 1 + random.below(8); count > 0; count--) flip(random, bytes)
      return bytes
    },
  },
  { name: 'a cut', apply: (random, bytes) => bytes.subarray(0, random.below(bytes.length + 1)) },
  {
    name: 'a piece missing',
    apply(random, bytes) {
      const at = random.below(bytes.length + 1)
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(1000))])
    },
  },
  {
    name: 'a piece inserted',
    apply(random, bytes) {
      const at = random.below(bytes.length + 1)
      const piece = randomBytes(random, 1 + random.below(100))
      return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
    },
  },
  { name: 'noise', apply: (random) => randomBytes(random, random.below(5_000)) },
]
