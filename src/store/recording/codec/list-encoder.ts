import { Decimal, exactBelow } from './decimal.ts'
import { listStates } from './frame-streams.ts'
import type { FrameOutput } from './frame-streams.ts'
import { NumberLocator, RecordNumbers, ViewedBytes } from './record-numbers.ts'
import { emptyTextList } from './text-list.ts'
import type { TextList } from './text-list.ts'

/** A text and the one that it replaces. */
interface TextChange {
  readonly text: ViewedBytes
  readonly from: number
  readonly to: number
  readonly former: ViewedBytes
  readonly formerFrom: number
  readonly formerTo: number
}

/** Encodes the changes of a list from frame to frame. */
export class ListEncoder {
  readonly #output: FrameOutput
  readonly #locator = new NumberLocator()
  readonly #before = new Decimal()
  readonly #after = new Decimal()
  /** The last list: an unchanged one is the same object. */
  #last: TextList | null = null
  /** A copy of the last list, whose bytes are overwritten later. */
  #former: TextList = emptyTextList
  #formerBytes = new ViewedBytes(emptyTextList.bytes)
  /** Numbers by record; null for a record whose numbers have not changed yet. */
  #numbers: (RecordNumbers | null)[] = []

  constructor(output: FrameOutput) {
    this.#output = output
  }

  /** Encodes the next list without reference to another one. */
  reset(): void {
    this.#last = null
    this.#former = emptyTextList
    this.#numbers = []
  }

  /** Returns whether the list may have changed. */
  encode(list: TextList): boolean {
    if (list === this.#last) {
      this.#output.records.varint(listStates.unchanged)
      return false
    }
    const origins = this.#encodeRecords(list)
    this.#numbers = Array.from(origins, (origin) => this.#numbers[origin] ?? null)
    this.#encodeTexts(list, origins)
    this.#copy(list)
    return true
  }

  #copy(list: TextList): void {
    const { length } = list.bytes
    if (this.#formerBytes.bytes.length < length)
      this.#formerBytes = new ViewedBytes(Buffer.allocUnsafeSlow(length + (length >> 3)))
    this.#formerBytes.bytes.set(list.bytes)
    this.#former = { bytes: this.#formerBytes.bytes, starts: list.starts.slice(), ids: list.ids.slice() }
    this.#last = list
  }

  /** Returns the former index of each record, -1 for new ones. */
  #encodeRecords({ ids, starts }: TextList): Int32Array {
    const { records } = this.#output
    const before = this.#former.ids
    if (ids.length === before.length && ids.every((id, i) => id === before[i])) {
      records.varint(listStates.sameRecords)
      return Int32Array.from(ids, (_, i) => i)
    }
    const indexes = new Map<bigint, number>()
    for (let i = 0; i < before.length; i++) indexes.set(before[i], i)
    records.varint(listStates.otherRecords)
    records.varint(ids.length)
    let expected = 0
    return Int32Array.from(ids, (id, i) => {
      const origin = indexes.get(id) ?? -1
      if (origin < 0) {
        records.varint(0)
        records.int64(id)
        records.varint(starts[i + 1] - 1 - starts[i])
        return -1
      }
      // Of two records with one id, only the first continues the former one.
      indexes.delete(id)
      records.biased(origin - expected)
      expected = origin + 1
      return origin
    })
  }

  #encodeTexts({ bytes, starts }: TextList, origins: Int32Array): void {
    const { records, changes, text: texts, dictionary } = this.#output
    const { starts: formerStarts } = this.#former
    const text = new ViewedBytes(bytes)
    const former = this.#formerBytes
    let lastChanged = -1
    let lastRewritten = -1
    for (let i = 0; i < origins.length; i++) {
      const [from, to] = [starts[i], starts[i + 1] - 1]
      const origin = origins[i]
      if (origin < 0) {
        texts.raw(bytes, from, to)
        continue
      }
      const [formerFrom, formerTo] = [formerStarts[origin], formerStarts[origin + 1] - 1]
      const length = to - from
      if (length === formerTo - formerFrom && text.sameBytes(from, former, formerFrom, length) === length)
        continue
      if (this.#encodeNumbers(i, lastChanged, { text, from, to, former, formerFrom, formerTo })) {
        lastChanged = i
        continue
      }
      records.varint(i - lastRewritten)
      records.varint(length)
      texts.raw(bytes, from, to)
      dictionary.raw(former.bytes, formerFrom, formerTo)
      this.#numbers[i] = null
      lastRewritten = i
    }
    records.varint(0)
    changes.varint(0)
  }

  /** Returns false if more than numbers differs. */
  #encodeNumbers(record: number, lastChanged: number, change: TextChange): boolean {
    const { text, from, to, former, formerFrom, formerTo } = change
    const numbers = (this.#numbers[record] ??= new RecordNumbers(former.bytes, formerFrom, formerTo))
    const count = this.#locator.locate(text, from, to, former, formerFrom, formerTo, numbers)
    if (count === null) return false
    const { starts, ends, changed } = this.#locator
    const { changes } = this.#output
    changes.varint(record - lastChanged)
    let lastSlot = -1
    for (const slot of changed.subarray(0, count)) {
      changes.varint(slot - lastSlot)
      this.#before.parse(former.bytes, formerFrom + numbers.starts[slot], formerFrom + numbers.ends[slot])
      this.#after.parse(text.bytes, from + starts[slot], from + ends[slot])
      this.#encodeNumber(numbers, slot, text.bytes, from + starts[slot], from + ends[slot])
      lastSlot = slot
    }
    numbers.starts.set(starts.subarray(0, numbers.count))
    numbers.ends.set(ends.subarray(0, numbers.count))
    changes.varint(0)
    return true
  }

  #encodeNumber(numbers: RecordNumbers, slot: number, bytes: Uint8Array, start: number, end: number): void {
    const { deltas, text } = this.#output
    const delta = this.#after.deltaFrom(this.#before, numbers.scales[slot])
    if (delta < exactBelow && delta > -exactBelow) {
      deltas.biased(delta - numbers.predictDelta(slot))
      numbers.observeDelta(slot, delta)
      return
    }
    deltas.varint(0)
    deltas.varint(end - start)
    text.raw(bytes, start, end)
    numbers.observeText(slot, bytes, start, end)
  }
}
