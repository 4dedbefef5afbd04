/** Bounds of series, each by a world beyond it. */
import { collections } from '../../src/contract/collections.ts'
import { historyMetrics } from '../../src/contract/history.ts'
import type { HistoryEntity } from '../../src/contract/history.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { HistoryRings } from '../../src/metrics/history/history-rings.ts'
import { createRecordHistory } from '../../src/metrics/history/record-history.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { parseChunks } from './parsed-exposition.ts'
import { ScriptedHistory, tenSecondsNs } from './scripted-history.ts'
import { askBounds, upTo } from '../fixtures/bounds.ts'

function concerned(affected: object): number {
  const incidents = [emptyRecord(collections.incidents, { id: 1, ...affected })]
  const chunks = createExposition({ collectors: ['incidents'] }).render(snapshotWith({ incidents }))
  return parseChunks(chunks).get('dcsim_incident_scope_info')!.samples.size
}

function withHistory(): unknown {
  const hosts = upTo(1001).map((id) => emptyRecord(collections.hosts, { id }))
  const switches = upTo(251).map((id) => emptyRecord(collections.switches, { id }))
  const history = createRecordHistory()
  history.observe(snapshotWith({ hosts, switches }))
  return Object.values(Object.groupBy(history.entities, ({ subject }) => subject)).map(({ length }) => length)
}

const perPool = Object.keys(historyMetrics['host-pools']).length

function pathsOf(pools: number) {
  const entities = upTo(pools).map((id): HistoryEntity => ({ subject: 'host-pools', id }))
  const rings = new HistoryRings(new ScriptedHistory(entities, () => 0))
  rings.record(tenSecondsNs)
  const { paths, total } = rings.paths('')
  return [paths.length, total]
}

askBounds([
  ['hosts of an incident', () => concerned({ affected_host_ids: upTo(51) }), 50],
  ['customers of an incident', () => concerned({ affected_customer_ids: upTo(51) }), 50],
  ['entities with a history', withHistory, [1, 250, 1000]],
  ['paths and series', () => pathsOf(1 + Math.ceil(65_536 / perPool)), [10_000, 262_128]],
])
