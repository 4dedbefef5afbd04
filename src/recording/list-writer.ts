import type { BitWriter } from './bit-coder.ts'
import { Decimal, DecimalSlots, plainBelow } from './decimal-slots.ts'
import { ListModel, type SharedModels } from './list-model.ts'
import type { LiteralWriter } from './literals.ts'
import { align, noTexts, type TextList } from './record-text.ts'

const stepMax = BigInt(plainBelow)

/** Writes a list of records from frame to frame as what has changed in it. */
export class ListWriter {
  readonly #model: ListModel
  readonly #coder: BitWriter
  readonly #literals: LiteralWriter
  readonly #before = new DecimalSlots()
  readonly #now = new DecimalSlots()
  readonly #decimal = new Decimal()
  /** The list as it was written last, in memory of its own. */
  #list: TextList = noTexts
  #memory = Buffer.alloc(0)
  #view: DataView = new DataView(this.#memory.buffer)
  #beforeView: DataView = this.#view
  /** What was written last, to know it by. */
  #seen: TextList | null = null

  constructor(shared: SharedModels, list: number, coder: BitWriter, literals: LiteralWriter) {
    this.#model = new ListModel(shared, list)
    this.#coder = coder
    this.#literals = literals
  }

  forget(): void {
    this.#model.forget()
    this.#list = noTexts
    this.#seen = null
  }

  /** Says whether the list may have changed. A list that did not is told by being the same object. */
  write(list: TextList): boolean {
    const isSame = list === this.#seen
    this.#model.bit(this.#coder, 'isSame', isSame ? 0 : 1)
    if (isSame) return false
    const origins = this.#writeRecords(list)
    this.#view = viewOf(list.bytes)
    this.#beforeView = viewOf(this.#list.bytes)
    for (let i = 0; i < list.ids.length; i++) this.#writeRecord(list, i, origins === null ? i : origins[i])
    this.#keep(list)
    return true
  }

  #keep(list: TextList): void {
    const { length } = list.bytes
    if (this.#memory.length < length) this.#memory = Buffer.allocUnsafeSlow(length + (length >> 3))
    this.#memory.set(list.bytes)
    this.#list = { bytes: this.#memory, starts: list.starts.slice(), ids: list.ids.slice() }
    this.#seen = list
  }

  /** Which record each was before, -1 for those that are new; null where all are the same. */
  #writeRecords({ ids }: TextList): Int32Array | null {
    const [coder, model] = [this.#coder, this.#model]
    const before = this.#list.ids
    const isSame = ids.length === before.length && ids.every((id, i) => id === before[i])
    model.bit(coder, 'hasSameRecords', isSame ? 0 : 1)
    if (isSame) return null
    const places = new Map<bigint, number>()
    for (let i = 0; i < before.length; i++) places.set(before[i], i)
    const origins = new Int32Array(ids.length)
    model.count(coder, 'records', ids.length)
    let expected = 0
    for (let i = 0; i < ids.length; i++) {
      const place = places.get(ids[i]) ?? -1
      origins[i] = place
      // Two that share an id cannot both go on from the same text.
      places.delete(ids[i])
      model.bit(coder, 'isNew', place < 0 ? 1 : 0)
      if (place < 0) this.#writeId(ids[i], i === 0 ? 0n : ids[i - 1])
      else {
        model.integer(coder, 'position', place - expected)
        expected = place + 1
      }
    }
    model.matchRecords(origins)
    return origins
  }

  #writeId(id: bigint, previous: bigint): void {
    const step = id - previous
    const isPlain = step < stepMax && step > -stepMax
    this.#model.integer(this.#coder, 'id', isPlain ? Number(step) : Number.NaN)
    if (isPlain) return
    const bits = BigInt.asUintN(64, id)
    for (let place = 48n; place >= 0n; place -= 16n) this.#coder.raw(16, Number((bits >> place) & 0xffffn))
  }

  #writeRecord(list: TextList, record: number, origin: number): void {
    const { bytes, starts } = list
    const [from, to] = [starts[record], starts[record + 1] - 1]
    const [coder, model] = [this.#coder, this.#model]
    if (origin < 0) {
      this.#now.find(bytes, from, to)
      model.count(coder, 'textLength', to - from)
      this.#literals.add(bytes, from, to)
      model.addSlots(record, bytes, from, this.#now)
      return
    }
    const before = this.#list
    const [beforeFrom, beforeTo] = [before.starts[origin], before.starts[origin + 1] - 1]
    const isSame = this.#memory.compare(bytes, from, to, beforeFrom, beforeTo) === 0
    model.codeChange(coder, record, isSame ? 0 : 1)
    if (isSame) return
    const { offsets, widths } = model.shared.slots
    const [base, count] = [model.slotsAt[record], model.slotCounts[record]]
    this.#before.place(offsets, widths, base, count, beforeFrom)
    const isAlike = this.#now.findAlike(
      this.#view,
      from,
      to,
      this.#beforeView,
      beforeFrom,
      beforeTo,
      this.#before,
    )
    model.bit(coder, 'isSpliced', isAlike ? 0 : 1)
    if (isAlike) this.#writeAlike(record, bytes, from)
    else this.#writeSpliced(record, bytes, from, to, beforeFrom, beforeTo)
  }

  #writeAlike(record: number, bytes: Uint8Array, from: number): void {
    const { slotsAt, shared } = this.#model
    const { offsets, widths } = shared.slots
    const { starts, ends, count } = this.#now
    const base = slotsAt[record]
    for (let i = 0; i < count; i++) {
      this.#writeNumber(base + i, bytes, i, i)
      offsets[base + i] = starts[i] - from
      widths[base + i] = ends[i] - starts[i]
    }
  }

  #writeSpliced(
    record: number,
    bytes: Uint8Array,
    from: number,
    to: number,
    beforeFrom: number,
    beforeTo: number,
  ): void {
    this.#now.find(bytes, from, to)
    const before = { bytes: this.#list.bytes, from: beforeFrom, to: beforeTo, slots: this.#before }
    const { first, last } = align(before, { bytes, from, to, slots: this.#now })
    this.#writeSplice(bytes, from, to, first, last)
    const base = this.#model.slotsAt[record]
    const [beforeCount, count] = [this.#before.count, this.#now.count]
    for (let i = 0; i < first; i++) this.#writeNumber(base + i, bytes, i, i)
    for (let i = last; i > 0; i--)
      this.#writeNumber(base + beforeCount - i, bytes, beforeCount - i, count - i)
    this.#model.spliceSlots(record, bytes, from, this.#now, first, last)
  }

  #writeSplice(bytes: Uint8Array, from: number, to: number, first: number, last: number): void {
    const { starts, ends, count } = this.#now
    const middleFrom = first === 0 ? from : ends[first - 1]
    const middleTo = last === 0 ? to : starts[count - last]
    this.#model.count(this.#coder, 'firstSlots', first)
    this.#model.count(this.#coder, 'lastSlots', last)
    this.#model.count(this.#coder, 'spliceLength', middleTo - middleFrom)
    this.#literals.add(bytes, middleFrom, middleTo)
  }

  #writeNumber(slot: number, bytes: Uint8Array, beforeIndex: number, index: number): void {
    const before = this.#list.bytes
    const [beforeStart, beforeEnd] = [this.#before.starts[beforeIndex], this.#before.ends[beforeIndex]]
    const [start, end] = [this.#now.starts[index], this.#now.ends[index]]
    let isSame = end - start === beforeEnd - beforeStart
    for (let i = end - start - 1; isSame && i >= 0; i--) isSame = bytes[start + i] === before[beforeStart + i]
    const { slots } = this.#model.shared
    slots.codeChange(this.#coder, slot, isSame ? 0 : 1)
    if (isSame) return
    const scale = slots.scales[slot]
    const decimal = this.#decimal
    decimal.read(before, beforeStart, beforeEnd)
    const beforeValue = decimal.scaled(scale)
    const wasLong = decimal.isLong
    decimal.read(bytes, start, end)
    let step = decimal.scaled(scale) - beforeValue
    if (step === step && (wasLong || decimal.isLong)) {
      step = longStep(before.subarray(beforeStart, beforeEnd), bytes.subarray(start, end))
    }
    if (!(step < plainBelow && step > -plainBelow)) step = Number.NaN
    const written = slots.codeStep(this.#coder, this.#model.list, slot, beforeValue, step)
    if (written === written) return
    this.#model.count(this.#coder, 'numberLength', end - start)
    this.#literals.add(bytes, start, end)
    this.#model.settleScale(slot, bytes, start, end)
  }
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, length)

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')

/** How far one integer is from another, where doubles do not hold them. */
const longStep = (before: Uint8Array, now: Uint8Array): number =>
  Number(BigInt(latin1(now)) - BigInt(latin1(before)))
