import type { Collections, PortRecord } from '../../../contract/collections.ts'
import type { HostCosts } from '../../simulation/tenants/view.ts'
import type { RecordedWorld } from '../world.ts'
import { createApplianceRecords } from './appliances.ts'
import { createCableRecords } from './cables.ts'
import { createGatewayRecords } from './gateways.ts'
import type { LoadedLinks } from './loaded-links.ts'
import { loadedLinks } from './loaded-links.ts'
import { createPanelRecords } from './patch-panels.ts'
import { createPortRecords } from './ports.ts'
import { createSwitchRecords } from './switches.ts'
import { recordsOf } from '../record-list.ts'
import { createZoneRecords } from '../zones/zones.ts'

/** Records of all equipment except hosts. They stay the same objects. */
export interface EquipmentRecords
  extends Pick<Collections, 'azs' | 'switches' | 'gateways' | 'appliances' | 'patchPanels' | 'cables'> {
  /** The ports of a host, in order; updated with the other records. */
  readonly hostPorts: (row: number) => PortRecord[]
  readonly update: () => void
  readonly loadedLinks: () => LoadedLinks
}

export function createEquipmentRecords(
  state: RecordedWorld,
  countBytes: () => void,
  booked: HostCosts | null = null,
): EquipmentRecords {
  const { hosts } = state.topology
  const ports = createPortRecords(state, countBytes)
  const lists = {
    azs: createZoneRecords(state, booked),
    switches: createSwitchRecords(state, ports),
    gateways: createGatewayRecords(state, ports),
    appliances: createApplianceRecords(state, ports),
    patchPanels: createPanelRecords(state, ports),
    cables: createCableRecords(state),
  }
  return {
    ...recordsOf(lists),
    hostPorts: (row) => ports.listOf(hosts.firstPort[row], hosts.portCount[row]),
    update() {
      ports.update()
      for (const list of Object.values(lists)) list.update()
    },
    loadedLinks: () => loadedLinks(state),
  }
}
