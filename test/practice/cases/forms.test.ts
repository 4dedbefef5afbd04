import { expect, test } from 'vitest'
import { writeCase } from '../../../src/practice/cases/forms.ts'
import type { CaseForm } from '../../../src/practice/cases/forms.ts'
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
const written = (faults: Case['truth']['faults'], forms: readonly CaseForm[]) =>
  writeCase(contentOf(faults), { seed: 2n, number: 1 }, 'again', forms)
const filesOf = (faults: Case['truth']['faults'], form: CaseForm): Record<string, string> =>
  Object.fromEntries(written(faults, [form]).files)

// 26 January 2024 is day 25 after the first, of seed 2 with 12 cases a world, number 1.
const begin = 1_706_227_200

test('The own form has names for keys, blank cells without telemetry, and the truth apart', () => {
  const files = filesOf([core], 'own')
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
  const files = filesOf([core], 'rcaeval')
  expect(Object.keys(files)).toEqual([
    'rcaeval/core1_switchfailure/2-1/data.csv',
    'rcaeval/core1_switchfailure/2-1/inject_time.txt',
  ])
  expect(files['rcaeval/core1_switchfailure/2-1/inject_time.txt']).toBe(`${begin + 1_810}\n`)
})

test('PetShop has an adjacency from the served to what serves it, calm metrics, and an issue with its target', () => {
  const files = filesOf([core], 'petshop')
  expect(files['petshop/2-1/graph.csv']).toBe(',core1,shop\ncore1,0,0\nshop,1,0\n')
  const head =
    'microservice,core1,shop\nmetric,up,failed-requests-total\nstatistic,Average,Average\nunix_timestamp,,\n'
  expect(files['petshop/2-1/noissue/metrics.csv']).toBe(`${head}${begin}.0,1,0.25\n${begin + 1_800}.0,1,0\n`)
  expect(files['petshop/2-1/train/issue_0/metrics.csv']).toBe(
    `${head}${begin + 1_860}.0,0,7\n${begin + 1_920}.0,,8\n`,
  )
  expect(JSON.parse(files['petshop/2-1/train/issue_0/target.json'])).toEqual({
    target: { node: 'shop', metric: 'failed-requests-total', agg: 'Average', timestamp: begin + 1_860 },
    root_cause: { node: 'core1', metric: null },
    metadata: { kind: 'SwitchFailure', reproducibility: { command: 'again' } },
  })
})

test('OpenRCA has long metrics of the day, and a record and a question for every fault', () => {
  const host = { entity: 'Host 2', kind: 'HostFailure', at_seconds: 1_900 }
  const files = filesOf([core, host], 'openrca')
  expect(files['openrca/telemetry/2024_01_26/metric/metric_container.csv'].split('\n').slice(0, 3)).toEqual([
    'timestamp,cmdb_id,kpi_name,value',
    `${begin},core1,up,1`,
    `${begin},shop,failed-requests-total,0.25`,
  ])
  const { records, query } = written([core, host], []).openRca
  expect(records).toBe(
    `entity,core1,${begin + 1_810},2024-01-26 00:30:10,SwitchFailure\nentity,host-2,${begin + 1_900},2024-01-26 00:31:40,HostFailure\n`,
  )
  expect(query).toContain('The 1-th predicted root cause component is core1\n')
  expect(query).toContain(
    'The 2-th root cause occurrence time is within 1 minutes (i.e., <=1min) of 2024-01-26 00:31:40\n',
  )
})

test('A form leaves out what it has no place for', () => {
  const host = { entity: 'Host 2', kind: 'HostFailure', at_seconds: 1_900 }
  expect(filesOf([core, host], 'rcaeval')).toEqual({})
  expect(filesOf([core, host], 'petshop')).toEqual({})
  expect(filesOf([], 'rcaeval')).toEqual({})
  expect(filesOf([], 'openrca')).toEqual({})
  const healthy = filesOf([], 'petshop')
  expect(Object.keys(healthy)).not.toContain('petshop/2-1/train/issue_0/target.json')
  expect(healthy['petshop/2-1/noissue/metrics.csv'].split('\n')).toHaveLength(9)
})
