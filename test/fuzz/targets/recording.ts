/** Damaged recordings: the damage is found in time and within memory. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { FrameCursor } from '../../../src/recording/frame-cursor.ts'
import { RecordingError } from '../../../src/recording/recording-error.ts'
import { indexOf, MemorySession } from '../../recording/recorded.ts'
import { damages, flip, largeNumbers } from '../damaged-bytes.ts'
import type { Damage } from '../damaged-bytes.ts'
import type { Observe, OpenTarget } from '../target.ts'

/** The interval of files that the command `inspect` reads, too. */
const inspectEvery = 100
/** These files have some hundred kB. Processor time. */
const readMaxMs = 2_000
const inspectMaxMs = 120_000
const headerBytes = 24
const signatureBytes = 25

/** A recording of a small world. */
function recordWorld(): Buffer {
  const sim = createSimulation({ seed: 1n, scale: 4, warmUp: 0, scenario: null, speed: 60 })
  const session = new MemorySession()
  for (let frame = 0; frame < 8; frame++) {
    for (let step = 0; step < 6; step++) sim.step()
    session.record(sim.snapshot())
  }
  return session.bytes
}

/** Where each block of a sound recording begins. */
function blockStarts(bytes: Buffer): number[] {
  const starts: number[] = []
  for (let at = signatureBytes; at < bytes.length; at += headerBytes + bytes.readUInt32LE(at + 12))
    starts.push(at)
  return starts
}

/** Writes the checksum of a header that was changed. */
const resealHeader = (bytes: Buffer, at: number): number =>
  bytes.writeUInt32LE(crc32(bytes.subarray(at, at + 20)), at + 20)

/** Writes the checksums of a block that was changed, so that its content is believed. */
function reseal(bytes: Buffer, at: number, end: number): void {
  bytes.writeUInt32LE(crc32(bytes.subarray(at + headerBytes, end)), at + 16)
  resealHeader(bytes, at)
}

/** Damage to the blocks of a recording, which begin at `starts`. */
function blockDamages(starts: readonly number[]): Damage[] {
  const endOf = (block: number, bytes: Buffer): number => starts[block + 1] ?? bytes.length
  return [
    {
      name: 'changed content under valid checksums',
      apply(random, bytes) {
        const block = random.below(starts.length)
        const end = endOf(block, bytes)
        for (let count = 1 + random.below(20); count > 0; count--)
          flip(random, bytes, starts[block] + headerBytes, end)
        reseal(bytes, starts[block], end)
        return bytes
      },
    },
    {
      name: 'a large number in valid content',
      apply(random, bytes) {
        const block = random.below(starts.length)
        const end = endOf(block, bytes)
        const from = starts[block] + headerBytes
        const place = from + random.below(Math.max(1, Math.min(200, end - from - 4)))
        if (place + 4 <= end) bytes.writeUInt32LE(random.pick(largeNumbers), place)
        reseal(bytes, starts[block], end)
        return bytes
      },
    },
    {
      name: 'a header with another kind, number or length',
      apply(random, bytes) {
        const at = random.pick(starts)
        bytes.writeUInt32LE(random.pick(largeNumbers), at + 4 + 4 * random.below(3))
        resealHeader(bytes, at)
        return bytes
      },
    },
    {
      name: 'blocks in another order',
      apply(random, bytes) {
        const blocks = starts.map((at, block) => bytes.subarray(at, endOf(block, bytes)))
        const renumbered = blocks
          .toSorted(() => random.next() - 0.5)
          .map((block, number) => {
            const copy = Buffer.from(block)
            copy.writeUInt32LE(number, 8)
            resealHeader(copy, 0)
            return copy
          })
        return Buffer.concat([bytes.subarray(0, signatureBytes), ...renumbered])
      },
    },
  ]
}

/** Reads all frames, as replay does. Only a `RecordingError` with a text that can be printed may come of damage. */
function readAll(bytes: Buffer, observe: Observe): string[] {
  const found: string[] = []
  const index = indexOf(bytes)
  const cursor = new FrameCursor(index)
  for (let position = 0; position < index.frames.length; position++) {
    try {
      cursor.read(position)
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error
      const message = observe(error.message)
      if (!/^[^\p{C}]{10,}$/u.test(message)) found.push(`no sentence: ${JSON.stringify(message)}`)
    }
  }
  return found
}

/** `inspect` as operators run it: it ends with a documented status and without a stack trace. */
async function inspectFaults(path: string): Promise<string[]> {
  const child = spawn(process.execPath, ['src/main.ts', 'inspect', path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  const deadline = setTimeout(() => child.kill('SIGKILL'), inspectMaxMs)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(deadline)
  if (code === null) return [`inspect took longer than ${inspectMaxMs} ms`]
  if (/^\s+at /m.test(text)) return [`inspect printed a stack trace:\n${text.slice(0, 1500)}`]
  return code <= 2 ? [] : [`inspect exited with ${code}`]
}

export const openRecording: OpenTarget = async (_seed, observe) => {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-recording-'))
  const path = join(folder, 'damaged.dcsim')
  const whole = recordWorld()
  const all = [...damages, ...blockDamages(blockStarts(whole))]
  return {
    lanes: 1,
    async run({ number, random }) {
      const damage = random.pick(all)
      const bytes = damage.apply(random, Buffer.from(whole))
      const began = process.cpuUsage()
      const found = readAll(bytes, observe).map((fault) => `${damage.name}: ${fault}`)
      const { user, system } = process.cpuUsage(began)
      if ((user + system) / 1000 > readMaxMs)
        found.push(`${damage.name}: reading takes longer than ${readMaxMs} ms`)
      if (number % inspectEvery > 0) return found
      writeFileSync(path, bytes)
      return [...found, ...(await inspectFaults(path))]
    },
    close: async () => rmSync(folder, { recursive: true }),
  }
}
