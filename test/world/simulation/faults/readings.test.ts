import { expect, test } from 'vitest'
import type { CauseKind } from '../../../../src/contract/vocabularies.ts'
import { causeCatalog } from '../../../../src/world/simulation/faults/kinds.ts'
import type { Condition } from '../../../../src/world/simulation/faults/condition.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** The reading of a cause's first check, in a world with one column of the condition set to a value. */
function read(
  kind: CauseKind,
  column: keyof Condition,
  value: number,
  targetKind: 'Host' | 'Cable' | 'Port',
) {
  const { state } = createQuietWorld(1n)
  const target: FaultTarget = { kind: targetKind, row: 0 }
  const values = state.condition[column]
  if (typeof values !== 'number') values[0] = value
  const telemetry = { demandRatio: () => 1, recentFlaps: () => 0 }
  return causeCatalog[kind].checks[0].observe(state, target, telemetry)
}

test.each([
  ['DiskFailure', 'hostDiskBroken', 1, 'Host', '1 SSD failed', 'The array is running degraded.'],
  [
    'DiskFailure',
    'hostDiskBroken',
    2,
    'Host',
    '2 SSDs failed',
    'The array does not survive a second failure.',
  ],
  ['PowerSupplyFailure', 'hostSupplyBroken', 2, 'Host', '1 of 2 delivers', 'A supply delivers no voltage.'],
  [
    'PowerSupplyFailure',
    'hostSupplyBroken',
    3,
    'Host',
    'none of 2 delivers',
    'Neither supply delivers voltage.',
  ],
  [
    'CableFault',
    'cableLoss',
    0.02,
    'Cable',
    '2 % of frames',
    'They move with the cable when it is plugged into other ports.',
  ],
  [
    'CableFault',
    'cableLoss',
    1,
    'Cable',
    'no signal',
    'The link stays dark when the cable is plugged into other ports.',
  ],
] as const)('%s: the detail agrees with the reading (%s = %d)', (kind, column, level, at, value, detail) => {
  expect(read(kind, column, level, at)).toMatchObject({ value: `**${value}**`, detail })
})

test('a transceiver is judged by the light that it sends, which a cut cable does not change', () => {
  const { label, value } = read('TransceiverFailure', 'cableCut', 1, 'Port')
  expect(label).toMatch(/^Light sent by \*\*/)
  expect(value).toBe('-2 dBm')
})

test.each([
  [0.001, '-8 dBm'],
  [0.1, '-11 dBm'],
  [0.2, '-14 dBm'],
  [0.9, '-14 dBm'],
  [1, '-27 dBm'],
])('a transceiver that loses %d of its frames sends %s', (loss, value) => {
  expect(read('TransceiverFailure', 'portLoss', loss, 'Port').value).toBe(`**${value}**`)
})
