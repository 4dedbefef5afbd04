import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { row } from '../layout/layout.ts'
import type { Section } from '../layout/layout.ts'
import { link, preservedQueryParams } from '../layout/links.ts'
import { eventFeed } from './events.ts'
import { activeIncidentsOf } from './entity-incidents.ts'
import { noneExpected, unit } from '../style/look.ts'
import { percentSteps } from '../style/threshold-steps.ts'
import { picture } from '../visualizations/picture.ts'
import { wordTable } from '../visualizations/tables.ts'
import { thresholds } from '../../src/contract/thresholds.ts'

/** Panels that the pages of hosts and of network devices share. */

/** Ports in use, the worst first, each with links to its cable and to the device at its other end. */
const ports = (page: 'host' | 'device', query: string, empty: string): Panel =>
  wordTable({
    title: 'Ports and links',
    description:
      'Ports in use, the worst first: what is at the other end, optics, load, frames lost and flaps since the device was installed. Traffic is in Gbit/s.',
    empty,
    table: 'ports',
    tinted: true,
    query: `${query}&in_use=yes&sort=-severity`,
    columns: [
      {
        field: 'port',
        title: 'Port',
        width: 80,
        links: [
          link(
            'Trace the cable',
            `/d/dcsim-${page}/${page}?${preservedQueryParams}&\${instance:queryparam}&\${${page}:queryparam}` +
              '&var-port=${__data.fields.port_id}',
          ),
        ],
      },
      { field: 'state', title: 'State', width: 82 },
      {
        field: 'connected_to',
        title: 'Connected to',
        links: [
          link(
            'Open ${__data.fields.peer}',
            `/d/dcsim-\${__data.fields.leads_to}/\${__data.fields.leads_to}?${preservedQueryParams}&\${instance:queryparam}` +
              '&var-device=${__data.fields.peer}&var-host=${__data.fields.peer_id}',
          ),
        ],
      },
      { field: 'media', title: 'Cable', width: 156 },
      {
        field: 'load_pct',
        title: 'Load',
        unit: unit.percent,
        decimals: 1,
        width: 74,
        bar: true,
        barMax: 100,
        steps: percentSteps(thresholds.linkLoadHigh, thresholds.linkLoadFull),
      },
      { field: 'capacity_gbps', title: 'Speed', unit: unit.number, width: 62 },
      { field: 'sent_gbps', title: 'Sent', unit: unit.number, decimals: 2, width: 62 },
      { field: 'received_gbps', title: 'Received', unit: unit.number, decimals: 2, width: 85 },
      { field: 'errors', title: 'Lost', unit: unit.count, steps: noneExpected, width: 76 },
      { field: 'flaps', title: 'Flaps', unit: unit.count, steps: noneExpected, width: 62 },
      { field: 'port_id', title: 'Port id', hidden: true },
      { field: 'peer', title: 'Peer', hidden: true },
      { field: 'peer_id', title: 'Peer id', hidden: true },
      { field: 'leads_to', title: 'Leads to', hidden: true },
    ],
  })

/** The cable of a port from end to end, above the ports to choose from. */
export const cableAndPorts = (page: 'host' | 'device', empty: string) => {
  const query = `${page}=\${${page}}`
  const cable = picture({
    title: 'The cable, from end to end',
    description:
      'From a port to its far end: state and losses at both ends, and the trays and panels that the cable passes. Choose the port in the table below; without a choice it is the one in the worst state.',
    picture: 'cable',
    query: `${query}&port=\${port}`,
  })
  return [row(8, [24, cable]), row(12, [24, ports(page, query, empty)])]
}

/** Incidents and events of a device. */
export const incidentsAndEvents = (kind: 'host' | 'device', query: string): Section => ({
  title: 'Incidents and events',
  rows: [
    row(8, [24, activeIncidentsOf(query, `No incident concerns this ${kind}.`)]),
    row(7, [
      24,
      eventFeed({
        query: `${query}&limit=30`,
        empty: `Nothing happened to this ${kind} in the time shown.`,
      }),
    ]),
  ],
})
