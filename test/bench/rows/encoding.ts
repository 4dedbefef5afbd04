import type { HostRecord } from '../../../src/contract/collections.ts'
import type { Int64 } from '../../../src/contract/fields.ts'
import { HostSchema } from '../../../src/contract/records/hosts.ts'
import { RecordListReader } from '../../../src/encoding/record-list-reader.ts'
import { EncodedRecordList } from '../../../src/encoding/records/encoded-record-list.ts'
import { busyFleet, loadHost } from '../../fixtures/busy-hosts.ts'
import { SeededRandom } from '../../fixtures/seeded-random.ts'
import { atLeast, finding } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { takeTurns } from '../harness/turns.ts'

const idOf = (record: object): Int64 => (record as HostRecord).id

const changedRecord: Row = {
  name: 'changed-record',
  async measure() {
    const count = 400
    const chance = new SeededRandom(1)
    const hosts = busyFleet(count, chance)
    const list = new EncodedRecordList(HostSchema, idOf)
    list.update(hosts)
    let length = 0
    const turns = await takeTurns(
      {
        stringify: {
          prepare: () => hosts.forEach((host) => loadHost(host, chance)),
          run() {
            length = 0
            for (const host of hosts) length += JSON.stringify(host).length
          },
        },
        update: {
          run() {
            if (list.update(hosts).encoded !== count) throw new Error('Not every host was encoded again.')
          },
        },
      },
      { rounds: 31, warmUps: 60 },
    )
    if (list.jsonLength !== length + count - 1) throw new Error('The two do not print the same.')
    const [ratio, sides] = [
      turns.ratio('stringify', 'update'),
      turns.sides('update', 'stringify', 'µs', count),
    ]
    const measured = 'a changed record encoded again, against JSON.stringify of it'
    return [finding('changed-record', measured, atLeast(1.6, 9.9), ratio, sides)]
  },
}

const readList: Row = {
  name: 'read-list-parse',
  async measure() {
    const count = 1000
    const chance = new SeededRandom(3)
    const hosts = busyFleet(count, chance)
    const reader = new RecordListReader('hosts', HostSchema)
    let bytes = Buffer.alloc(0)
    const turns = await takeTurns({
      parse: {
        prepare() {
          for (const host of hosts) loadHost(host, chance)
          bytes = Buffer.from(hosts.map((host) => JSON.stringify(host)).join(','))
        },
        run() {
          if ((JSON.parse(`[${bytes.toString()}]`) as unknown[]).length !== count)
            throw new Error('Some are lost.')
        },
      },
      read: {
        run() {
          if (reader.read([bytes]).changed === 0) throw new Error('Nothing was read again.')
        },
      },
    })
    const [ratio, sides] = [turns.ratio('parse', 'read'), turns.sides('read', 'parse')]
    const measured = 'a page of 1,000 hosts read and checked, all changed, against JSON.parse of the same'
    return [finding('read-list-parse', measured, atLeast(1, 1.5), ratio, sides)]
  },
}

export const encoding: readonly Row[] = [changedRecord, readList]
