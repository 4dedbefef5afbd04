import { crc32 } from 'node:zlib'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import { fingerprint } from './fingerprint.ts'

/** A world that lives on, and what is done with it after each step. */
export interface Life {
  readonly sim: Simulation
  readonly each?: (sim: Simulation) => void
}

/** Parts that count what passes when they are looked at: where only one life is, their records alone are compared. */
export const countedWhenRead = ['network', 'customers']

const stepsBetween = 6

const number = new Float64Array(1)
const words = new Uint32Array(number.buffer)

const mixed = (sum: number, value: number): number => {
  number[0] = value
  return words.reduce((mix, word) => Math.imul((mix >>> 15) ^ mix ^ word, 0x85ebca6b), sum)
}

/** A checksum of plain data: of its values alone, so that shared data and copies have equal ones. */
function checksum(value: unknown, seen: Map<object, number>): number {
  if (typeof value === 'number') return mixed(0, value)
  if (typeof value !== 'object' || value === null) return crc32(String(value))
  const known = seen.get(value)
  if (known !== undefined) return known
  if (ArrayBuffer.isView(value)) return crc32(value as Uint8Array)
  // Where references lead back.
  seen.set(value, 1)
  const isList = value instanceof Map || value instanceof Set || Array.isArray(value)
  let sum = 0
  for (const item of isList ? (value as Iterable<unknown>) : Object.values(value))
    sum = mixed(sum, checksum(item, seen))
  seen.set(value, sum)
  return sum
}

const sumsOf = ({ sim }: Life): (readonly [name: string, sum: number])[] => {
  const { blocks, parts } = sim.savedWorld()
  return Object.entries({ ...blocks, ...parts }).map(([name, state]) => [name, checksum(state, new Map())])
}

const advance = ({ sim, each }: Life): void => {
  sim.step()
  each?.(sim)
}

interface Compared {
  readonly from: number
  readonly every: number
  readonly span: Micros
  readonly but: readonly string[]
}

function firstDifference([one, other]: readonly Life[], { from, every, span, but }: Compared) {
  const until = one.sim.state.now + span
  while (one.sim.state.now < until) {
    advance(one)
    advance(other)
    const { tick } = one.sim.state
    if (tick < from || tick % every !== 0) continue
    const sums = new Map(sumsOf(one))
    const parts = sumsOf(other).flatMap(([name, sum]) =>
      but.includes(name) || sums.get(name) === sum ? [] : [name],
    )
    if (parts.length > 0) return { tick, parts }
  }
  return fingerprint(one.sim.snapshot()) === fingerprint(other.sim.snapshot()) ? null : 'their records'
}

/** The first step after which two lives of a seed differ, with the parts that do; null if they never do. */
export function divergence(begin: () => readonly Life[], span: Micros, but: readonly string[] = []) {
  const found = firstDifference(begin(), { from: 0, every: stepsBetween, span, but })
  if (found === null || typeof found === 'string') return found
  return firstDifference(begin(), { from: found.tick - stepsBetween, every: 1, span, but })
}
