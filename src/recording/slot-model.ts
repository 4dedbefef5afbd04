import { evens, type BitCoder } from './bit-coder.ts'
import { IntegerModel, noInteger } from './integer-model.ts'

/** Steps smaller than this are common: two slots must also hold the same number for it to mean something. */
const tellingStep = 4096
const twinTrustMax = 7
const trendMax = 4
const hashBits = 16
const noSlot = -1

/** Contexts of steps: how long the last step of the same slot was. */
const stepContexts = 64

type SlotColumn = Uint8Array | Int8Array | Uint16Array | Int32Array | Float64Array

function grown<T extends SlotColumn>(column: T, length: number): T {
  const larger = new (column.constructor as new (length: number) => T)(length)
  larger.set(column)
  return larger
}

/**
 * What is known of each number of a world from one frame to the next, and what that makes probable. A slot is a place
 * in a record where a number stands. How far a number steps is predicted by how it stepped before, or by its twin:
 * another slot that stepped alike, such as the same traffic at the other end of a cable.
 */
export class SlotModel {
  #used = 0
  #changes = new Uint16Array(0)
  /** Where the slot's number begins in the text of its record, and how long it is. */
  offsets = new Int32Array(0)
  widths = new Int32Array(0)
  /** How many decimals the slot's numbers had at most. */
  scales = new Uint8Array(0)
  #lengths = new Uint8Array(0)
  #trends = new Int8Array(0)
  #steps = new Float64Array(0)
  /** The frame in which the slot last stepped. */
  #frames = new Int32Array(0)
  #twins = new Int32Array(0)
  #twinSigns = new Int8Array(0)
  #twinTrusts = new Uint8Array(0)
  readonly #hits = new Uint16Array(twinTrustMax + 1)
  readonly #steplengths: IntegerModel
  readonly #byHash = new Int32Array(1 << hashBits)
  #frame = 0

  constructor(lists: number) {
    this.#steplengths = new IntegerModel(lists * stepContexts)
    this.forget()
  }

  forget(): void {
    this.#used = 0
    this.#frame = 0
    this.#hits.fill(evens)
    this.#byHash.fill(noSlot)
    this.#steplengths.forget()
  }

  beginFrame(): void {
    this.#frame++
  }

  /** Slots for the numbers of a record, which stand together. Returns the first of them. */
  add(count: number): number {
    const base = this.#used
    this.#used += count
    if (this.#used > this.scales.length) this.#grow(2 * this.#used)
    for (let slot = base; slot < this.#used; slot++) this.restart(slot)
    return base
  }

  /** Forgets what was learned of a slot, in which another number stands now. */
  restart(slot: number): void {
    this.#changes[slot] = evens
    this.scales[slot] = this.#lengths[slot] = this.#twinTrusts[slot] = 0
    this.#trends[slot] = 0
    this.#steps[slot] = this.#frames[slot] = 0
    this.#twins[slot] = noSlot
  }

  move(from: number, to: number): void {
    this.#changes[to] = this.#changes[from]
    this.scales[to] = this.scales[from]
    this.#lengths[to] = this.#lengths[from]
    this.#trends[to] = this.#trends[from]
    this.#steps[to] = this.#steps[from]
    this.#frames[to] = this.#frames[from]
    this.#twins[to] = this.#twins[from]
    this.#twinSigns[to] = this.#twinSigns[from]
    this.#twinTrusts[to] = this.#twinTrusts[from]
  }

  /** Whether the number in a slot changed. */
  codeChange(coder: BitCoder, slot: number, changed: number): number {
    return coder.bit(this.#changes, slot, changed)
  }

  /** How far it stepped from `before`, in units of its last decimal; NaN where that cannot be said. */
  codeStep(coder: BitCoder, list: number, slot: number, before: number, step: number): number {
    const told = this.#codeByTwin(coder, slot, step)
    if (told !== 0) {
      this.#learn(slot, before, told)
      return told
    }
    const last = this.#trends[slot] > 0 ? this.#steps[slot] : 0
    const context = list * stepContexts + this.#lengths[slot]
    const rest = this.#steplengths.code(coder, context, step - last)
    const length = this.#steplengths.class
    if (length === noInteger) return Number.NaN
    this.#lengths[slot] = length
    const read = last + rest
    this.#learn(slot, before, read)
    return read
  }

  /** The step where the twin tells it, otherwise 0. */
  #codeByTwin(coder: BitCoder, slot: number, step: number): number {
    const twin = this.#twins[slot]
    if (twin === noSlot || this.#frames[twin] !== this.#frame) return 0
    const expected = this.#twinSigns[slot] * this.#steps[twin]
    const trust = this.#twinTrusts[slot]
    if (coder.bit(this.#hits, trust, step === expected ? 0 : 1) === 0) {
      if (trust < twinTrustMax) this.#twinTrusts[slot]++
      return expected
    }
    if (trust > 1) this.#twinTrusts[slot] = trust >> 1
    else this.#twins[slot] = noSlot
    return 0
  }

  #learn(slot: number, before: number, step: number): void {
    const size = Math.abs(step)
    const last = this.#steps[slot]
    if (last !== 0) {
      const trend = this.#trends[slot]
      if (Math.abs(step - last) < size) this.#trends[slot] = Math.min(trend + 1, trendMax)
      else this.#trends[slot] = Math.max(trend - 1, -trendMax)
    }
    this.#steps[slot] = step
    this.#frames[slot] = this.#frame
    const hash = this.#hash(size, size < tellingStep ? before + step : 0)
    if (this.#twins[slot] === noSlot) this.#findTwin(slot, step, this.#byHash[hash])
    this.#byHash[hash] = slot
  }

  #findTwin(slot: number, step: number, candidate: number): void {
    if (candidate === noSlot || candidate >= this.#used || candidate === slot) return
    if (this.#frames[candidate] !== this.#frame) return
    const sign = step === this.#steps[candidate] ? 1 : -1
    if (step !== sign * this.#steps[candidate]) return
    this.#twins[slot] = candidate
    this.#twinSigns[slot] = sign
    this.#twinTrusts[slot] = 1
  }

  #hash(size: number, value: number): number {
    const mixed =
      Math.imul(size | 0, 0x9e37_79b1) ^
      Math.imul((size / 2 ** 32) | 0, 0x85eb_ca6b) ^
      Math.imul(value | 0, 0xc2b2_ae35)
    return (mixed ^ (mixed >>> 15)) >>> (32 - hashBits)
  }

  #grow(length: number): void {
    this.#changes = grown(this.#changes, length)
    this.offsets = grown(this.offsets, length)
    this.widths = grown(this.widths, length)
    this.scales = grown(this.scales, length)
    this.#lengths = grown(this.#lengths, length)
    this.#trends = grown(this.#trends, length)
    this.#steps = grown(this.#steps, length)
    this.#frames = grown(this.#frames, length)
    this.#twins = grown(this.#twins, length)
    this.#twinSigns = grown(this.#twinSigns, length)
    this.#twinTrusts = grown(this.#twinTrusts, length)
  }
}
