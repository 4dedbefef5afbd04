import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { PanelBuilder as NodeGraph } from '@grafana/grafana-foundation-sdk/nodegraph'
import { by, either, gauge, named, relabelled } from '../promql.ts'
import { linkLoad } from '../queries.ts'
import { units } from './look.ts'
import { withDefaults, withTargets } from './panels.ts'
import { rowsAs } from './targets.ts'

/** Ids of devices as the ends of links write them: kind and number. */
const written = (kind: string, label: string, text: string): string =>
  `label_replace(${text}, "id", "${kind}/$1", "${label}", "(.*)")`

const nodes = either(
  {
    text: written('Switch', 'switch', by('max', gauge('dcsim_switch_info'), ['switch', 'name', 'role']).text),
    simple: true,
  },
  {
    text: written('Gateway', 'gateway', by('max', gauge('dcsim_gateway_info'), ['gateway', 'name']).text),
    simple: true,
  },
  {
    text: written(
      'Appliance',
      'appliance',
      by('max', gauge('dcsim_appliance_info'), ['appliance', 'name', 'kind']).text,
    ),
    simple: true,
  },
)

const edges = relabelled(
  relabelled(
    relabelled(named(linkLoad, 'dcsim_link_info', ['link'], ['a', 'b']), 'a', 'source'),
    'b',
    'target',
  ),
  'link',
  'id',
)

/** The columns by which the node graph knows nodes and edges. */
const columns = {
  name: 'title',
  role: 'subtitle',
  kind: 'detail__kind',
  'Value #edges': 'mainstat',
}

/** Network devices and the links between them, with the load of each link. */
export const topology: Panel = withTargets(
  {
    ...withDefaults(new NodeGraph(), {
      title: 'Topology',
      description: 'Switches, gateways and appliances, and how full the links between them are.',
      unit: units.share,
      targets: [],
    }).build(),
    transformations: [
      {
        id: 'organize',
        options: {
          excludeByName: { Time: true, job: true, instance: true, session: true, 'Value #nodes': true },
          indexByName: {},
          renameByName: columns,
        },
      },
    ],
  },
  [rowsAs('nodes', nodes), rowsAs('edges', edges)],
)
