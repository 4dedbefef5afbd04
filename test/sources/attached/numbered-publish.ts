import { collections } from '../../../src/contract/collections.ts'
import { EngineEventSchema } from '../../../src/contract/records/operations.ts'
import { emptyRecord } from '../../fixtures/handmade-snapshot.ts'
import type { UpstreamPublish } from './fake-upstream.ts'

const hosts = 1_005
const customers = 40
const windowLength = 120
/** The number of events between two publishes. */
const eventsPerPublish = 3
const stepNs = 1_000_000_000n

const hostTexts = Array.from({ length: hosts }, (_, i) =>
  JSON.stringify(emptyRecord(collections.hosts, { id: i + 1, label: '%' })),
)
const customerTexts = Array.from({ length: customers }, (_, i) =>
  JSON.stringify(emptyRecord(collections.customers, { id: i + 1, name: '%' })),
)
const marked = (texts: readonly string[], mark: string): string[] =>
  texts.map((text) => text.replace('%', mark))

/** `at_ns` of the event with a number: two in three tie with a neighbor. */
const momentOf = (number: number): bigint => BigInt(number - (number % 3 === 1 ? 1 : 0)) + 1n

function eventAt(number: number, life: number) {
  const atNs = momentOf(number)
  const known = { msg_key: `${life}.${number}` }
  return {
    atNs,
    json: JSON.stringify(emptyRecord(EngineEventSchema, known)).replace('"at_ns":0', `"at_ns":${atNs}`),
  }
}

/** The world at a publish: every record contains the publish number and the number of the upstream's run. */
export function numberedPublish(publishSeq: number, life: number): UpstreamPublish {
  const total = publishSeq * eventsPerPublish
  const first = Math.max(0, total - windowLength)
  const mark = `${life}.${publishSeq}`
  return {
    publishSeq,
    simTimeNs: BigInt(publishSeq) * stepNs,
    collections: { hosts: marked(hostTexts, mark), customers: marked(customerTexts, mark) },
    events: Array.from({ length: total - first }, (_, i) => eventAt(first + i, life)),
    newestEvictedNs: first === 0 ? -1n : momentOf(first - 1),
    diagnostics: `{"mark":"${mark}"}`,
  }
}
