/** Reads damaged recordings: `npm run fuzz:recording -- --files 5000 --seed 7`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { createSimulation } from '../../src/world/records/simulation.ts'
import { FrameCursor } from '../../src/recording/frame-cursor.ts'
import { RecordingError } from '../../src/recording/recording-error.ts'
import { Failures } from '../fixtures/failures.ts'
import { programOptions, randomSeed } from '../fixtures/program-options.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { indexOf, MemorySession } from '../recording/recorded.ts'

const { files, seed, inspectEvery } = programOptions(
  {
    script: 'fuzz:recording',
    purpose: 'Reads damaged recordings, and checks that the damage is found in time and within memory.',
    meanings: {
      files: 'how many recordings',
      seed: 'what the damage is made from',
      inspectEvery: 'one in so many files is also given to the command inspect',
    },
  },
  { files: 5_000, seed: randomSeed(), inspectEvery: 100 },
)
/** Limits for files of some hundred kB. */
const readMaxMs = 2_000
const inspectMaxMs = 20_000
const progressEveryMs = 10_000
const headerBytes = 24
const signatureBytes = 25

const failures = new Failures()
const random = new SeededRandom(seed)

/** A recording of a small world, and the content of each frame. */
function recordWorld(): Buffer {
  const sim = createSimulation({ seed: 1n, scale: 4, warmUp: 0, scenario: null, speed: 60 })
  const session = new MemorySession()
  for (let frame = 0; frame < 8; frame++) {
    for (let step = 0; step < 6; step++) sim.step()
    session.record(sim.snapshot())
  }
  return session.bytes
}

/** The offset of each block in an intact recording. */
function blockStarts(bytes: Buffer): number[] {
  const starts: number[] = []
  for (let at = signatureBytes; at < bytes.length; at += headerBytes + bytes.readUInt32LE(at + 12))
    starts.push(at)
  return starts
}

/** Recomputes the checksums of a changed block, so that readers accept its content. */
function reseal(bytes: Buffer, at: number): void {
  const end = Math.min(bytes.length, at + headerBytes + bytes.readUInt32LE(at + 12))
  bytes.writeUInt32LE(crc32(bytes.subarray(at + headerBytes, end)), at + 16)
  bytes.writeUInt32LE(crc32(bytes.subarray(at, at + 20)), at + 20)
}

interface Damage {
  readonly name: string
  readonly apply: (bytes: Buffer, starts: readonly number[]) => Buffer
}

const flip = (bytes: Buffer, from: number, to: number): void => {
  bytes[from + random.below(Math.max(1, to - from))] ^= 1 << random.below(8)
}

const interesting = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff]

const damages: readonly Damage[] = [
  {
    name: 'flipped bits',
    apply(bytes) {
      for (let count = 1 + random.below(8); count > 0; count--) flip(bytes, 0, bytes.length)
      return bytes
    },
  },
  { name: 'a cut', apply: (bytes) => bytes.subarray(0, random.below(bytes.length)) },
  {
    name: 'a piece missing',
    apply(bytes) {
      const at = random.below(bytes.length)
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(1000))])
    },
  },
  {
    name: 'a piece inserted',
    apply(bytes) {
      const at = random.below(bytes.length)
      const piece = Buffer.from(Array.from({ length: 1 + random.below(100) }, () => random.below(256)))
      return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
    },
  },
  {
    name: 'changed content under valid checksums',
    apply(bytes, starts) {
      const block = random.below(starts.length)
      const at = starts[block]
      const end = starts[block + 1] ?? bytes.length
      for (let count = 1 + random.below(20); count > 0; count--) flip(bytes, at + headerBytes, end)
      reseal(bytes, at)
      return bytes
    },
  },
  {
    name: 'a large number in valid content',
    apply(bytes, starts) {
      const block = random.below(starts.length)
      const at = starts[block]
      const end = starts[block + 1] ?? bytes.length
      const place = at + headerBytes + random.below(Math.max(1, Math.min(200, end - at - headerBytes - 4)))
      if (place + 4 <= end) bytes.writeUInt32LE(random.pick(interesting), place)
      reseal(bytes, at)
      return bytes
    },
  },
  {
    name: 'a header with another kind, number or length',
    apply(bytes, starts) {
      const at = random.pick(starts)
      bytes.writeUInt32LE(random.pick(interesting), at + 4 + 4 * random.below(3))
      bytes.writeUInt32LE(crc32(bytes.subarray(at, at + 20)), at + 20)
      return bytes
    },
  },
  {
    name: 'blocks in another order',
    apply(bytes, starts) {
      const blocks = starts.map((at, i) => bytes.subarray(at, starts[i + 1] ?? bytes.length))
      const shuffled = blocks.toSorted(() => random.next() - 0.5)
      const renumbered = shuffled.map((block, number) => {
        const copy = Buffer.from(block)
        copy.writeUInt32LE(number, 8)
        copy.writeUInt32LE(crc32(copy.subarray(0, 20)), 20)
        return copy
      })
      return Buffer.concat([bytes.subarray(0, signatureBytes), ...renumbered])
    },
  },
  {
    name: 'noise',
    apply: () => Buffer.from(Array.from({ length: random.below(5_000) }, () => random.below(256))),
  },
]

/** Reads all frames, as replay does. Damage may cause a `RecordingError` only. */
function readAll(bytes: Buffer): void {
  const index = indexOf(bytes)
  const cursor = new FrameCursor(index)
  for (let position = 0; position < index.frames.length; position++) {
    try {
      cursor.read(position)
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error
    }
  }
}

/** Runs `inspect` as operators do: it must exit with a documented status and without a stack trace. */
async function inspect(path: string): Promise<string | null> {
  const child = spawn(process.execPath, ['src/main.ts', 'inspect', path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  const deadline = setTimeout(() => child.kill('SIGKILL'), inspectMaxMs)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(deadline)
  if (code === null) return `inspect took longer than ${inspectMaxMs} ms`
  if (/^\s+at /m.test(text)) return `inspect printed a stack trace:\n${text.slice(0, 1500)}`
  return code <= 2 ? null : `inspect exited with ${code}`
}

async function run(): Promise<void> {
  console.log(`${files} damaged recordings, seed ${seed}`)
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-recording-'))
  const whole = recordWorld()
  const starts = blockStarts(whole)
  let reportedMs = performance.now()
  for (let file = 0; file < files; file++) {
    const damage = random.pick(damages)
    const bytes = damage.apply(Buffer.from(whole), starts)
    const name = `file ${file} (${damage.name})`
    const beganMs = performance.now()
    try {
      readAll(bytes)
    } catch (error) {
      failures.add(`${name}: ${error instanceof Error ? error.stack : String(error)}`)
    }
    const tookMs = Math.round(performance.now() - beganMs)
    if (tookMs > readMaxMs) failures.add(`${name}: reading ${bytes.length} bytes took ${tookMs} ms`)
    if (file % inspectEvery === 0) {
      const path = join(folder, 'damaged.dcsim')
      writeFileSync(path, bytes)
      const failure = await inspect(path)
      if (failure !== null) failures.add(`${name}: ${failure}`)
    }
    if (performance.now() - reportedMs > progressEveryMs) {
      reportedMs = performance.now()
      const memoryMb = Math.round(process.memoryUsage().rss / 2 ** 20)
      console.log(`${file + 1} of ${files} files, ${memoryMb} MB, ${failures.total} failures`)
    }
  }
  rmSync(folder, { recursive: true })
  failures.conclude(`${files} damaged recordings of ${whole.length} bytes (seed ${seed})`)
}

await run()
