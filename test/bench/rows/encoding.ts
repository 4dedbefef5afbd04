import type { HostRecord } from '../../../src/contract/collections.ts'
import type { Int64 } from '../../../src/contract/fields.ts'
import { HostSchema } from '../../../src/contract/records/hosts.ts'
import { RecordListReader } from '../../../src/encoding/record-list-reader.ts'
import { EncodedRecordList } from '../../../src/encoding/records/encoded-record-list.ts'
import { sliceOfItems } from '../../../src/http/resources/page.ts'
import { busyFleet, loadHost } from '../../fixtures/busy-hosts.ts'
import { SeededRandom } from '../../fixtures/seeded-random.ts'
import type { Row } from '../harness/finding.ts'
import { takeTurns } from '../harness/turns.ts'

const idOf = (record: object): Int64 => (record as HostRecord).id

const changedRecord: Row = {
  name: 'changed-record',
  async measure(progress) {
    const count = 400
    const chance = new SeededRandom(1)
    progress(`${count} hosts of 4 ports, all their load changed`)
    const hosts = busyFleet(count, chance)
    const list = new EncodedRecordList(HostSchema, idOf)
    list.update(hosts)
    let length = 0
    const turns = await takeTurns(
      {
        stringify: {
          prepare: () => {
            for (const host of hosts) loadHost(host, chance)
          },
          run: () => {
            length = 0
            for (const host of hosts) length += JSON.stringify(host).length
          },
        },
        update: {
          run: () => {
            if (list.update(hosts).encoded !== count) throw new Error('Not every host was encoded again.')
          },
        },
      },
      { rounds: 31, warmUps: 60 },
    )
    if (list.jsonLength !== length + count - 1) throw new Error('The two do not print the same.')
    const micros = (whole: number): string => `${((1000 * whole) / count).toFixed(2)} µs`
    return {
      measured: 'a changed record encoded again',
      against: 'JSON.stringify of it',
      ...turns.ratio('stringify', 'update'),
      unit: '×',
      better: 'higher',
      floor: 1.6,
      aim: 8,
      medians: `${micros(turns.median('update'))} : ${micros(turns.median('stringify'))}`,
    }
  },
}

const typeOfKind: Readonly<Record<string, string>> = {
  int: 'number',
  num: 'number',
  bool: 'boolean',
  str: 'string',
}
const typedFields = Object.entries(HostSchema.fields).flatMap(([name, { kind, nullable }]) =>
  nullable || typeOfKind[kind] === undefined ? [] : [[name, typeOfKind[kind]] as const],
)

const same = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))

/** What a reader has to do besides parsing, written down plainly: check, keep, and notice what changed. */
class PlainReader {
  readonly #kept = new Map<Int64, Readonly<Record<string, unknown>>>()
  changed = 0

  take(records: readonly HostRecord[]): void {
    for (const record of records) {
      const values = record as unknown as Readonly<Record<string, unknown>>
      for (const [name, type] of typedFields)
        if (typeof values[name] !== type) throw new TypeError(`${name} is not a ${type}.`)
      const before = this.#kept.get(record.id)
      const isSame =
        before !== undefined && Object.keys(before).every((name) => same(before[name], values[name]))
      if (!isSame) this.changed++
      this.#kept.set(record.id, values)
    }
  }
}

const readList: Row = {
  name: 'read-list',
  async measure(progress) {
    const count = 1000
    const chance = new SeededRandom(3)
    progress(`${count} hosts from foreign JSON, all their load changed`)
    const hosts = busyFleet(count, chance)
    const reader = new RecordListReader('hosts', HostSchema)
    const plain = new PlainReader()
    let bytes = Buffer.alloc(0)
    const turns = await takeTurns({
      parse: {
        prepare: () => {
          for (const host of hosts) loadHost(host, chance)
          bytes = Buffer.from(hosts.map((host) => JSON.stringify(host)).join(','))
        },
        run: () => {
          if ((JSON.parse(`[${bytes.toString()}]`) as unknown[]).length !== count)
            throw new Error('Some are lost.')
        },
      },
      parseAndCheck: {
        run: () => plain.take(JSON.parse(`[${bytes.toString()}]`) as HostRecord[]),
      },
      read: {
        run: () => {
          if (reader.read([bytes]).changed === 0) throw new Error('Nothing was read again.')
        },
      },
    })
    const millis = (whole: number): string => `${whole.toFixed(1)} ms`
    const finding = {
      measured: 'a page of 1,000 hosts read and checked, all changed',
      unit: '×',
      better: 'higher',
    } as const
    const medians = (name: 'parse' | 'parseAndCheck'): string =>
      `${millis(turns.median('read'))} : ${millis(turns.median(name))}`
    return [
      {
        ...finding,
        part: 'parse',
        against: 'JSON.parse of the same',
        ...turns.ratio('parse', 'read'),
        floor: 1,
        aim: 2.5,
        medians: medians('parse'),
      },
      {
        ...finding,
        part: 'check',
        against: 'JSON.parse, type check of each field, comparison with the last page',
        ...turns.ratio('parseAndCheck', 'read'),
        floor: 1.4,
        aim: null,
        medians: medians('parseAndCheck'),
      },
    ]
  },
}

const assembledPage: Row = {
  name: 'assembled-page',
  async measure(progress) {
    const count = 1000
    progress(`a page of ${count} hosts: head, slice and tail copied into one warm buffer`)
    const hosts = busyFleet(count, new SeededRandom(2))
    const list = new EncodedRecordList(HostSchema, idOf)
    list.update(hosts)
    const bytes = Buffer.alloc(list.jsonLength)
    const starts = new Uint32Array(count + 1)
    list.writeTo(bytes, new BigInt64Array(count), starts)
    const head = '{"meta":{"age_ms":12,"publish_seq":3456,"sim_time_ns":604800000000000},"items":['
    const tail = `],"total":${count},"offset":0,"count":${count}}`
    const body = Buffer.alloc(bytes.length + 4096)
    let assembledLength = 0
    let stringified = Buffer.alloc(0)
    const turns = await takeTurns({
      stringify: {
        run: () => {
          const meta = { age_ms: 12, publish_seq: 3456, sim_time_ns: 604_800_000_000_000 }
          stringified = Buffer.from(JSON.stringify({ meta, items: hosts, total: count, offset: 0, count }))
        },
      },
      assemble: {
        run: () => {
          const { source, start, end } = sliceOfItems({ bytes, starts }, 0, count)
          let at = body.write(head, 0)
          body.set(source.subarray(start, end), at)
          at += end - start
          assembledLength = at + body.write(tail, at)
        },
      },
    })
    if (!body.subarray(0, assembledLength).equals(stringified))
      throw new Error('The two are not the same page.')
    return {
      measured: 'page of 1,000 hosts, assembled',
      against: 'JSON.stringify of the same',
      ...turns.ratio('stringify', 'assemble'),
      unit: '×',
      better: 'higher',
      floor: 18,
      aim: 100,
      medians: `${turns.median('assemble').toFixed(3)} ms : ${turns.median('stringify').toFixed(1)} ms`,
    }
  },
}

export const encoding: readonly Row[] = [changedRecord, readList, assembledPage]
