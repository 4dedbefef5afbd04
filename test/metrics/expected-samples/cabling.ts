/** Cables between network devices, and every port of every device. */
import type { CableRecord, PortRecord } from '../../../src/contract/collections.ts'
import { each, gbps } from './expected-family.ts'
import type { ExpectedFamilies, WorldJson } from './expected-family.ts'

const devices = ({ collections }: WorldJson) => [
  ...collections.hosts.map((device) => ({ ...device, kind: 'Host' })),
  ...collections.switches.map((device) => ({ ...device, kind: 'Switch' })),
  ...collections.gateways.map((device) => ({ ...device, kind: 'Gateway' })),
  ...collections.appliances.map((device) => ({ ...device, kind: 'Appliance' })),
  ...collections.patchPanels.map((device) => ({ ...device, kind: 'PatchPanel' })),
]

const ports = (world: WorldJson) =>
  devices(world).flatMap(({ kind, id: device, ports }) =>
    ports.map((port) => ({ ...port, device_kind: kind, device })),
  )

interface Link {
  readonly cable: CableRecord
  readonly name: string
  readonly port: string | null
  readonly az: number | bigint | null
  readonly zone: string | null
  readonly up: boolean
  readonly capacity: number | null
  readonly forward: number | null
  readonly reverse: number | null
}

const endName = (end: CableRecord['a']): string | null =>
  end === null ? null : `${end.device_kind}/${end.device_id}`

/** A link is told by the port of its end a, or by that of its end b where a is outside, as upstream is. */
function links(world: WorldJson): Link[] {
  const forwarding = new Map<number, PortRecord>()
  const owners = new Map<number, { name: string; az: number | bigint }>()
  const { switches, gateways, appliances, azs } = world.collections
  for (const { display_name_plain: name, az_id: az, ports } of [...switches, ...gateways, ...appliances]) {
    for (const port of ports) {
      forwarding.set(Number(port.port_id), port)
      owners.set(Number(port.port_id), { name, az })
    }
  }
  const ownerAt = (end: CableRecord['a']) => (end === null ? undefined : owners.get(Number(end.port_id)))
  const portAt = (end: CableRecord['a']) => (end === null ? undefined : forwarding.get(Number(end.port_id)))
  return world.collections.cables
    .filter(({ a, b }) => a?.device_kind !== 'Host' && b?.device_kind !== 'Host')
    .map((cable) => {
      const a = portAt(cable.a)
      const b = portAt(cable.b)
      const port = a ?? b
      const owner = ownerAt(cable.a) ?? ownerAt(cable.b)
      const nameAt = (end: CableRecord['a'], far: PortRecord | undefined): string =>
        ownerAt(end)?.name ?? far?.peer?.label ?? end?.device_kind ?? 'nothing'
      return {
        cable,
        name: `${nameAt(cable.a, b)}–${nameAt(cable.b, a)}`,
        port: port?.label ?? null,
        az: owner?.az ?? null,
        zone: azs.find(({ id }) => id === owner?.az)?.display_name ?? null,
        up: port?.link === 'Up',
        capacity: port?.link_capacity_gbps ?? null,
        forward: (a === undefined ? b?.gbps_rx : a.gbps_tx) ?? null,
        reverse: (a === undefined ? b?.gbps_tx : a.gbps_rx) ?? null,
      }
    })
}

export const expectedLinks: ExpectedFamilies = {
  ...each(
    links,
    {
      link: ({ cable }) => cable.id,
      kind: ({ cable }) => cable.kind,
      a: ({ cable }) => endName(cable.a),
      b: ({ cable }) => endName(cable.b),
      lag: ({ cable }) => cable.lag_id,
      name: 'name',
      port: 'port',
      az: 'az',
      zone: 'zone',
    },
    { dcsim_link_info: () => 1 },
  ),
  ...each(
    links,
    { link: ({ cable }) => cable.id, kind: ({ cable }) => cable.kind },
    {
      dcsim_link_up: 'up',
      dcsim_link_failed: ({ cable }) => cable.is_failed,
      dcsim_link_capacity_bytes_per_second: ['capacity', gbps],
      dcsim_link_forward_bytes_per_second: ['forward', gbps],
      dcsim_link_reverse_bytes_per_second: ['reverse', gbps],
    },
  ),
}

export const expectedPorts: ExpectedFamilies = each(
  ports,
  { device_kind: 'device_kind', device: 'device', port: 'port_id', index: 'index' },
  {
    dcsim_port_up: ({ link }) => link === 'Up',
    dcsim_port_active: 'active',
    dcsim_port_capacity_bytes_per_second: ['link_capacity_gbps', gbps],
    dcsim_port_receive_bytes_per_second: ['gbps_rx', gbps],
    dcsim_port_transmit_bytes_per_second: ['gbps_tx', gbps],
    dcsim_port_receive_bytes_total: 'bytes_ingress_total',
    dcsim_port_transmit_bytes_total: 'bytes_egress_total',
    dcsim_port_errors_total: 'error_count',
    dcsim_port_link_flaps_total: 'link_flaps',
  },
)
