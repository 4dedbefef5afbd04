import { gunzipSync, gzipSync } from 'node:zlib'
import type { Frame } from '../../../src/encoding/frames/frame.ts'
import { FrameCursor } from '../../../src/recording/frame-cursor.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { framesOf, indexOf, MemorySession } from '../../recording/recorded.ts'
import type { Row } from '../harness/finding.ts'
import { estimateOf } from '../harness/statistics.ts'
import { takeTurns } from '../harness/turns.ts'

/** At 60 simulated seconds a second, and a frame a second. */
const stepsPerFrame = 6
const framesPerHour = 3_600
const stepsBefore = 720
const rounds = 31
const warmUps = 5

/** The frame's records as one text: the content of a recording of whole frames. */
const wholeText = ({ collections, events }: Frame): Buffer =>
  Buffer.concat([...Object.values(collections).map(({ bytes }) => bytes), events.bytes])

function busyWorld() {
  const world = createSimulation({ seed: 1n, scale: 'medium', scenario: null, warmUp: 0, speed: 60 })
  for (let step = 0; step < stepsBefore; step++) world.step()
  const frameOf = framesOf()
  return (): Frame => {
    for (let step = 0; step < stepsPerFrame; step++) world.step()
    return frameOf(world.snapshot())
  }
}

const recording: Row = {
  name: 'recording',
  async measure(progress) {
    progress(`${rounds} frames of 120 hosts`)
    const nextFrame = busyWorld()
    const session = new MemorySession()
    let frame = nextFrame()
    session.recordFrame(frame)
    const shares: number[] = []
    const turns = await takeTurns(
      {
        record: {
          prepare: () => void (frame = nextFrame()),
          run: () => void session.recordFrame(frame),
        },
        gzip: {
          run: () => {
            const whole = gzipSync(wholeText(frame), { level: 1 }).length
            shares.push(session.blocks.at(-1)!.bytes / whole)
          },
        },
      },
      { rounds, warmUps },
    )
    const deltas = session.blocks.slice(1).map(({ bytes }) => bytes)
    const hourMb = ((deltas.reduce((sum, bytes) => sum + bytes, 0) / deltas.length) * framesPerHour) / 1e6
    const ms = `${turns.median('record').toFixed(2)} ms`
    return [
      {
        row: 'recording-time',
        measured: 'recording a frame of 120 hosts',
        against: 'gzip of the whole frame at level 1',
        ...turns.ratio('gzip', 'record'),
        unit: '× faster',
        better: 'higher',
        floor: 0.95,
        medians: `${ms} : ${turns.median('gzip').toFixed(2)} ms`,
      },
      {
        row: 'recording-size',
        measured: 'bytes of a recorded frame of 120 hosts',
        against: 'gzip of the whole frame at level 1',
        ...estimateOf(shares),
        unit: 'of it',
        better: 'lower',
        floor: 0.045,
        medians: `${hourMb.toFixed(1)} MB an hour at 60×, without key frames`,
      },
    ]
  },
}

const replay: Row = {
  name: 'replay',
  async measure(progress) {
    const count = rounds + warmUps
    progress(`${count} frames of 120 hosts`)
    const nextFrame = busyWorld()
    const session = new MemorySession()
    const packed: Buffer[] = []
    for (let index = 0; index < count; index++) {
      const frame = nextFrame()
      session.recordFrame(frame)
      packed.push(gzipSync(wholeText(frame), { level: 1 }))
    }
    const cursor = new FrameCursor(indexOf(session.bytes))
    const turns = await takeTurns(
      {
        decode: { run: (round) => void cursor.read(round) },
        gunzip: { run: (round) => void gunzipSync(packed[round]) },
      },
      { rounds, warmUps },
    )
    return [
      {
        row: 'replay',
        measured: 'reading a recorded frame of 120 hosts',
        against: 'gunzip of the whole frame',
        ...turns.ratio('gunzip', 'decode'),
        unit: '× faster',
        better: 'higher',
        floor: 0.35,
        medians: `${turns.median('decode').toFixed(2)} ms : ${turns.median('gunzip').toFixed(2)} ms`,
      },
    ]
  },
}

export const recordings: readonly Row[] = [recording, replay]
