import { evens, type BitCoder } from './bit-coder.ts'
import { Decimal, type DecimalSlots } from './decimal-slots.ts'
import { IntegerModel } from './integer-model.ts'
import { SlotModel } from './slot-model.ts'

/** What the integers mean that are not numbers of records: each has its own context, list by list. */
export const integerUses = {
  records: 0,
  position: 1,
  id: 2,
  textLength: 3,
  firstSlots: 4,
  lastSlots: 5,
  spliceLength: 6,
  numberLength: 7,
} as const
const integerUsesCount = Object.keys(integerUses).length

/** What the bits mean that are asked of every list. */
export const bitUses = { isSame: 0, hasSameRecords: 1, isNew: 2, isSpliced: 3 } as const
const bitUsesCount = Object.keys(bitUses).length

/** What all lists of a recording share. */
export class SharedModels {
  readonly slots: SlotModel
  readonly integers: IntegerModel
  readonly bits: Uint16Array
  readonly decimal = new Decimal()

  constructor(lists: number) {
    this.slots = new SlotModel(lists)
    this.integers = new IntegerModel(lists * integerUsesCount)
    this.bits = new Uint16Array(lists * bitUsesCount)
    this.forget()
  }

  forget(): void {
    this.slots.forget()
    this.integers.forget()
    this.bits.fill(evens)
  }
}

/** Which slots the records of a list have, and how often each record changes. Writers and readers keep it alike. */
export class ListModel {
  readonly shared: SharedModels
  readonly list: number
  /** The first slot of each record, and how many it has. */
  slotsAt = new Int32Array(0)
  slotCounts = new Int32Array(0)
  #changes = new Uint16Array(0)

  constructor(shared: SharedModels, list: number) {
    this.shared = shared
    this.list = list
  }

  forget(): void {
    this.slotsAt = this.slotCounts = new Int32Array(0)
    this.#changes = new Uint16Array(0)
  }

  bit(coder: BitCoder, use: keyof typeof bitUses, bit: number): number {
    return coder.bit(this.shared.bits, this.list * bitUsesCount + bitUses[use], bit)
  }

  count(coder: BitCoder, use: keyof typeof integerUses, count: number): number {
    return this.shared.integers.codeCount(coder, count, this.list * integerUsesCount + integerUses[use])
  }

  integer(coder: BitCoder, use: keyof typeof integerUses, value: number): number {
    return this.shared.integers.code(coder, this.list * integerUsesCount + integerUses[use], value)
  }

  /** Whether a record that stays is other than it was. */
  codeChange(coder: BitCoder, record: number, changed: number): number {
    return coder.bit(this.#changes, record, changed)
  }

  /** `origins` tells for each record which it was before, or -1. */
  matchRecords(origins: Int32Array): void {
    const pick = <T extends Int32Array | Uint16Array>(from: T, into: T): T => {
      for (let i = 0; i < origins.length; i++) if (origins[i] >= 0) into[i] = from[origins[i]]
      return into
    }
    this.slotsAt = pick(this.slotsAt, new Int32Array(origins.length))
    this.slotCounts = pick(this.slotCounts, new Int32Array(origins.length))
    this.#changes = pick(this.#changes, new Uint16Array(origins.length).fill(evens))
  }

  /** Gives a record that is new the slots of its text, which begins at `from`. */
  addSlots(record: number, bytes: Uint8Array, from: number, found: DecimalSlots): void {
    this.slotCounts[record] = found.count
    this.slotsAt[record] = this.shared.slots.add(found.count)
    this.#settle(record, bytes, from, found, 0, found.count)
  }

  /** Gives a record the slots of its new text, of which so many at both ends are as they were. */
  spliceSlots(
    record: number,
    bytes: Uint8Array,
    from: number,
    found: DecimalSlots,
    first: number,
    last: number,
  ): void {
    const { slots } = this.shared
    const [before, count] = [this.slotsAt[record], this.slotCounts[record]]
    if (found.count !== count) {
      const base = slots.add(found.count)
      for (let i = 0; i < first; i++) slots.move(before + i, base + i)
      for (let i = 1; i <= last; i++) slots.move(before + count - i, base + found.count - i)
      this.slotsAt[record] = base
      this.slotCounts[record] = found.count
    }
    const base = this.slotsAt[record]
    for (let i = first; i < found.count - last; i++) slots.restart(base + i)
    this.#settle(record, bytes, from, found, first, found.count - last)
  }

  /** Sees to it that a slot's scale has room for all decimals of its number. */
  settleScale(slot: number, bytes: Uint8Array, start: number, end: number): void {
    const { slots, decimal } = this.shared
    decimal.read(bytes, start, end)
    if (decimal.isRead && decimal.decimals > slots.scales[slot]) slots.scales[slot] = decimal.decimals
  }

  #settle(
    record: number,
    bytes: Uint8Array,
    from: number,
    found: DecimalSlots,
    first: number,
    last: number,
  ): void {
    const base = this.slotsAt[record]
    const { offsets, widths } = this.shared.slots
    for (let i = 0; i < found.count; i++) {
      offsets[base + i] = found.starts[i] - from
      widths[base + i] = found.ends[i] - found.starts[i]
    }
    for (let i = first; i < last; i++) this.settleScale(base + i, bytes, found.starts[i], found.ends[i])
  }
}
