import { expect, test } from 'vitest'
import { writeCase } from '../../../src/practice/cases/forms.ts'
import type { Case } from '../../../src/practice/cases/make.ts'
import { CaseTable } from '../../../src/practice/cases/series.ts'

function tableOf(): CaseTable {
  const table = new CaseTable()
  table.columns.push(
    { key: 'Switch 1', entity: 'core1', metric: 'up' },
    { key: 'Customer 4', entity: 'shop', metric: 'failed-requests-total' },
  )
  table.seconds.push(0, 1_800, 1_860, 1_920)
  table.rows.push([1, 0.25], [1, 0], [0, 7], [Number.NaN, 8])
  return table
}

const core = { entity: 'Switch 1', kind: 'SwitchFailure', at_seconds: 1_810 }
const contentOf = (faults: Case['truth']['faults']): Case => ({
  table: tableOf(),
  events: [],
  edges: [
    { from: 'Switch 1', to: 'Customer 4', kind: 'placement', fromSeconds: 0, untilSeconds: 7_200 },
    { from: 'Switch 1', to: 'Zone 1', kind: 'sum', fromSeconds: 0, untilSeconds: 60 },
  ],
  names: new Map([['Zone 1', 'Tallisford A']]),
  begin: 0,
  truth: {
    tier: faults.length === 0 ? 'healthy' : 'gauge',
    sort: faults.length === 0 ? 'healthy' : 'fault',
    faults,
    effects: [],
    customers: [
      {
        entity: 'Customer 4',
        since_seconds: 1_860,
        hurt_seconds: 120,
        failed_requests: 15,
        cost_dollars: 2.5,
        path: ['Switch 1', 'Customer 4'],
      },
    ],
    suspects: [{ entity: 'Switch 1', kind: 'SwitchFailure' }],
  },
})
const filesOf = (faults: Case['truth']['faults']): Record<string, string> =>
  Object.fromEntries(writeCase(contentOf(faults), { seed: 2n, number: 1 }, 'again'))

// 26 January 2024 is day 25 after the first, of seed 2 with 12 cases a world, number 1.
const begin = 1_706_227_200

test('The own form has names for keys, blank cells without telemetry, and the truth apart', () => {
  const files = filesOf([core])
  expect(files['cases/2-1/metrics.csv']).toBe(
    `time,core1_up,shop_failed-requests-total\n${begin},1,0.25\n${begin + 1_800},1,0\n${begin + 1_860},0,7\n${begin + 1_920},,8\n`,
  )
  expect(files['cases/2-1/topology.csv']).toBe(
    `source,target,kind,from,until\ncore1,shop,placement,${begin},${begin + 7_200}\ncore1,tallisford-a,sum,${begin},${begin + 60}\n`,
  )
  expect(JSON.parse(files['truth/2-1/truth.json'])).toMatchObject({
    case: '2-1',
    split: 'train',
    faults: [{ entity: 'core1', kind: 'SwitchFailure', at_seconds: 1_810 }],
    customers: [{ entity: 'shop', path: ['core1', 'shop'] }],
    suspects: [{ entity: 'core1' }],
  })
  expect(files['truth/2-1/command']).toBe('again\n')
})

test('RCAEval has service and fault in the folder, and the second of the fault', () => {
  const files = filesOf([core])
  expect(Object.keys(files).filter((path) => path.startsWith('rcaeval/'))).toEqual([
    'rcaeval/core1_switchfailure/2-1/data.csv',
    'rcaeval/core1_switchfailure/2-1/inject_time.txt',
  ])
  expect(files['rcaeval/core1_switchfailure/2-1/inject_time.txt']).toBe(`${begin + 1_810}\n`)
})

test('RCAEval leaves out what it has no place for', () => {
  const host = { entity: 'Host 2', kind: 'HostFailure', at_seconds: 1_900 }
  for (const faults of [[core, host], []])
    expect(Object.keys(filesOf(faults)).filter((path) => path.startsWith('rcaeval/'))).toEqual([])
})
