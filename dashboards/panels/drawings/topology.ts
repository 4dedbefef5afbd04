import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import {
  ArcOptionBuilder,
  NodeOptionsBuilder,
  PanelBuilder as NodeGraph,
  ZoomMode,
} from '@grafana/grafana-foundation-sdk/nodegraph'
import { link, preservedQueryParams } from '../../layout/links.ts'
import { palette, unit } from '../../style/look.ts'
import { withDefaults, withTargets } from '../../visualizations/panels.ts'
import { jsonAs } from '../../queries/targets.ts'
import type { JsonColumn } from '../../queries/targets.ts'

/** Segments of the ring around a node, with their colors. */
const ring = {
  load: palette.blue,
  room: '#80808060',
  warning: palette.yellow,
  serious: palette.orange,
  critical: palette.vermilion,
} as const

/** Meanings of the ring's segments in the legend. */
const ringMeanings: Readonly<Record<keyof typeof ring, string>> = {
  load: 'in use',
  room: 'free',
  warning: 'needs attention',
  serious: 'serious',
  critical: 'down or critical',
}

const text = (selector: string, name: string): JsonColumn => ({ selector, text: name, type: 'string' })
const number = (selector: string, name: string): JsonColumn => ({ selector, text: name, type: 'number' })

/** The columns of the node graph for nodes, which has fixed positions from Grafana 11.1 on. */
const nodes: readonly JsonColumn[] = [
  text('node', 'id'),
  text('title', 'title'),
  text('subtitle', 'subtitle'),
  text('load', 'mainstat'),
  text('detail', 'secondarystat'),
  text('state', 'detail__state'),
  text('zone', 'detail__zone'),
  text('leads_to', 'leads_to'),
  text('device', 'device'),
  text('rack_id', 'rack'),
  number('x', 'fixedX'),
  number('y', 'fixedY'),
  ...Object.keys(ring).map((part) => number(`ring_${part}`, `arc__${part}`)),
]

const edges: readonly JsonColumn[] = [
  text('link', 'id'),
  text('source', 'source'),
  text('target', 'target'),
  text('load', 'mainstat'),
  text('state', 'secondarystat'),
  number('thickness', 'thickness'),
  number('color_ratio', 'color'),
  text('dash', 'strokeDasharray'),
]

/** The kind of a node determines the page with more about it; that page ignores the variables of others. */
const toNode = link(
  'Open ${__data.fields.title}',
  `/d/dcsim-\${__data.fields.leads_to}/\${__data.fields.leads_to}?${preservedQueryParams}&\${instance:queryparam}` +
    '&var-device=${__data.fields.device}&var-rack=${__data.fields.rack}',
)

function builder(): NodeGraph {
  const arcs = Object.entries(ring).map(([part, color]) =>
    new ArcOptionBuilder().field(`arc__${part}`).color(color),
  )
  const panel = withDefaults(new NodeGraph(), {
    title: 'Topology',
    description:
      'The network from upstream at the top to racks at the bottom, zone by zone. A ring is as full as the device is loaded, of a rack as the power that it draws; yellow, orange and red rings are devices in trouble. Lines are thicker for more capacity, blue while they are idle, yellow at half load, red when full, dashed where a cable is down. Click on a node to open it.',
    unit: unit.text,
    empty: 'No answer from the mirror. The topology needs the Infinity data source.',
    infinity: true,
    targets: [],
  })
  for (const [part, meaning] of Object.entries(ringMeanings))
    panel.overrideByName(`arc__${part}`, [{ id: 'displayName', value: meaning }])
  return panel
    .nodes(new NodeOptionsBuilder().arcs(arcs))
    .zoomMode(ZoomMode.Cooperative)
    .overrideByName('title', [{ id: 'links', value: [toNode.build()] }])
    .overrideByName('mainstat', [{ id: 'displayName', value: 'Load' }])
    .overrideByName('secondarystat', [{ id: 'displayName', value: 'Traffic, hosts or state' }])
    .overrideByName('color', [
      { id: 'color', value: { mode: 'continuous-BlYlRd' } },
      { id: 'min', value: 0 },
      { id: 'max', value: 1 },
    ])
}

/** Network devices and racks at fixed positions, and the links between them, in the selected zones. */
export const topology: Panel = withTargets(builder().build(), [
  jsonAs('nodes', { url: '/tables/topology-nodes?zone=${zone:csv}&limit=1500', columns: nodes }),
  jsonAs('edges', { url: '/tables/topology-links?zone=${zone:csv}&limit=5000', columns: edges }),
])
