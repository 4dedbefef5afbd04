import { describe, expect, test } from 'vitest'
import type { Panel, Target } from '../dashboard-json.ts'
import { rowsFrame, seriesFrames, tableFrame } from './frames.ts'
import type { Series } from './frames.ts'
import type { Version } from './grafana.ts'
import { Grafana, versions } from './grafana.ts'
import { readabilityProblems } from './readable.ts'

const at = 1_700_000_000
const instant = (metric: Record<string, string>, value: string): Series => ({ metric, values: [[at, value]] })

const panel = (type: string, more: Partial<Panel> = {}): Panel => ({
  id: 1,
  type,
  title: 'A panel',
  gridPos: { x: 0, y: 0, w: 24, h: 8 },
  fieldConfig: { defaults: { unit: 'percentunit', noValue: 'Nothing is wrong.' }, overrides: [] },
  ...more,
})

const target = (more: Partial<Target> = {}): Target => ({ refId: 'A', format: 'table', ...more })

const column = (name: string, title: string, more: readonly { id: string; value: unknown }[] = []) => ({
  matcher: { id: 'byName', options: name },
  properties: [{ id: 'displayName', value: title }, ...more],
})

const organized = (...order: readonly string[]) => ({
  id: 'organize',
  options: {
    excludeByName: { Time: true },
    indexByName: Object.fromEntries(order.map((name, index) => [name, index])),
    renameByName: {},
  },
})

const hosts = panel('table', {
  transformations: [{ id: 'merge', options: {} }, organized('name', 'Value #A', 'Value #B', 'host')],
  fieldConfig: {
    defaults: { unit: 'short', noValue: 'No host.' },
    overrides: [
      column('name', 'Host'),
      column('Value #A', 'Load', [{ id: 'unit', value: 'percentunit' }]),
      column('Value #B', 'State', [
        { id: 'noValue', value: '–' },
        {
          id: 'mappings',
          value: [{ type: 'value', options: { 1: { text: 'Up', color: '#009E73', index: 0 } } }],
        },
      ]),
    ],
  },
})

describe.each(Object.keys(versions) as Version[])('a panel by the code of Grafana %s', (version) => {
  const grafana = new Grafana(version)
  const answers = (second: readonly Series[]) => [
    tableFrame(
      grafana,
      target(),
      [instant({ name: 'whm-a' }, '0.5'), instant({ name: 'whm-b' }, '1')],
      false,
    ),
    tableFrame(grafana, target({ refId: 'B' }), second, false),
  ]

  test('a table is read in its order, with its titles, units and words', async () => {
    const [frame] = await grafana.drawn(hosts, answers([instant({ name: 'whm-a' }, '1')]))
    const { columns, rows } = grafana.table(frame)
    expect(columns).toStrictEqual(['Host', 'Load', 'State'])
    expect(rows.map((row) => row.map(({ text }) => text))).toStrictEqual([
      ['whm-a', '50%', 'Up'],
      ['whm-b', '100%', '–'],
    ])
    expect(rows[0][2].color).toBe('#009E73')
  })

  test('a row that only another query has is found', async () => {
    const first = [instant({ name: 'whm-a', host: '1' }, '0.5')]
    const second = [instant({ host: '1' }, '1'), instant({ host: '3' }, '1')]
    const nameless = [
      tableFrame(grafana, target(), first, false),
      tableFrame(grafana, target({ refId: 'B' }), second, false),
    ]
    expect(await readabilityProblems(grafana, hosts, nameless)).toContain('1 rows without their first cell')
    const other = answers([instant({ host: '3' }, '1')])
    expect(await readabilityProblems(grafana, hosts, other)).toContain('a column without a title: host')
  })

  test.each([
    ['TrafficFlood', 'not in words: “TrafficFlood”'],
    ['no_vcpu', 'not in words: “no_vcpu”'],
    ['Switch/28 – Switch/22', 'an id: “Switch/28 – Switch/22”'],
  ])('%s in a cell is found', async (text, wrong) => {
    const shown = panel('table', {
      transformations: [organized('what')],
      fieldConfig: { defaults: {}, overrides: [column('what', 'What')] },
    })
    const columns = [{ selector: 'what', text: 'what', type: 'string' }] as const
    const frames = [rowsFrame(grafana, target({ columns }), [{ what: text }])]
    expect(await readabilityProblems(grafana, shown, frames)).toStrictEqual([wrong])
  })

  test('a state without a word is found, one with a word is not', async () => {
    const states = [instant({ name: 'a' }, '2')]
    const frames = seriesFrames(grafana, target({ legendFormat: '{{name}}' }), states)
    expect(await readabilityProblems(grafana, panel('state-timeline'), frames)).toStrictEqual([
      'a state without a word: 200%',
    ])
    const mappings = [{ type: 'value', options: { 2: { text: 'Starved', color: 'red', index: 0 } } }]
    const mapped = panel('state-timeline', { fieldConfig: { defaults: { mappings }, overrides: [] } })
    expect(await readabilityProblems(grafana, mapped, frames)).toStrictEqual([])
  })

  test('two lines of one name, a label that is not there and a figure that is none are found', async () => {
    const lines = [instant({ name: 'a', link: '1' }, '1'), instant({ name: 'a', link: '2' }, '1')]
    const frames = seriesFrames(grafana, target({ legendFormat: '{{name}}' }), lines)
    expect(await readabilityProblems(grafana, panel('timeseries'), frames)).toStrictEqual(['two lines “a”'])
    const none = [tableFrame(grafana, target(), [instant({ name: 'a' }, 'NaN')], false)]
    expect(await readabilityProblems(grafana, hosts, none)).toStrictEqual(['broken “NaN”'])
  })

  test('a picture that is no address, or would end its place in the style sheet, is found', async () => {
    const background = { image: { mode: 'mapping', field: 'image' }, size: 'contain' }
    const pictured = panel('canvas', { options: { root: { elements: [], background } } })
    const columns = [{ selector: 'image', text: 'image', type: 'string' }]
    const problems = (rows: readonly Record<string, unknown>[]) =>
      readabilityProblems(grafana, pictured, [rowsFrame(grafana, target({ columns }), rows)])
    expect(await problems([{ image: "data:image/svg+xml;utf8,%3Csvg xmlns='http://a'/%3E" }])).toStrictEqual(
      [],
    )
    expect(await problems([])).toStrictEqual(['no field image for the background'])
    for (const image of ['data:image/svg+xml;utf8,%3Csvg/%3E', 'data:,http://a"b'])
      expect(await problems([{ image }])).toStrictEqual(['an address that the canvas changes'])
  })
})
