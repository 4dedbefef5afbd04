/** Cells of ports in words. */
import { expect, test } from 'vitest'
import type { PortRecord } from '../../src/contract/collections.ts'
import { PortSchema } from '../../src/contract/records/shared.ts'
import { ports } from '../../src/tables/columns/equipment/ports.ts'
import { cellOf } from '../../src/tables/engine/table.ts'
import type { Cell } from '../../src/tables/engine/table.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf, worldOf } from './framed-worlds.ts'

const world = worldOf(frameOf(snapshotWith({})))
const peer = (device_kind: string) =>
  ({ device_kind, device_id: 7, port_id: 1, port_index: 0, label: 'far 1' }) as PortRecord['peer']

test.each<[string, Partial<PortRecord>, Cell]>([
  ['media', { media: 'Dac' }, 'direct-attach copper'],
  ['media', { media: 'Fiber' }, 'fiber'],
  ['media', { media: 'Copper' }, 'copper'],
  ['media', { media: 'None' }, 'none'],
  ['media', { media: 'WetString' as never }, 'wet string'],
  ['leads_to', { peer: null }, 'network'],
  ['leads_to', { peer: peer('Upstream') }, 'network'],
  ['leads_to', { peer: peer('PatchPanel') }, 'network'],
  ['leads_to', { peer: peer('Gateway') }, 'device'],
  ['leads_to', { peer: peer('Switch') }, 'device'],
  ['leads_to', { peer: peer('Appliance') }, 'device'],
  ['leads_to', { peer: peer('Host') }, 'host'],
  ['peer', { peer: null }, null],
  ['peer', { peer: peer('Host') }, 'far 1'],
  ['peer_id', { peer: null }, null],
  ['peer_id', { peer: peer('Host') }, '7'],
  ['connected_to', { peer: null }, null],
  ['connected_to', { peer: peer('Host') }, 'far 1'],
  ['load_pct', { gbps_tx: 1, gbps_rx: 4, link_capacity_gbps: 10 }, 40],
  ['load_pct', { gbps_tx: 5, gbps_rx: 4, link_capacity_gbps: 10 }, 50],
  ['load_pct', { gbps_tx: 5, link_capacity_gbps: 0 }, null],
])('%s of %j is %j', (column, given, cell) => {
  const item = { kind: 'Host', device: {}, port: emptyRecord(PortSchema, given) }
  expect(cellOf(ports, column, item, world)).toBe(cell)
})
