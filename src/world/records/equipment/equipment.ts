import type {
  ApplianceRecord,
  CableRecord,
  GatewayRecord,
  PatchPanelRecord,
  PortRecord,
  SwitchRecord,
  ZoneRecord,
} from '../../../contract/collections.ts'
import type { HostCosts } from '../../simulation/tenants/billing/host-costs.ts'
import type { RecordedWorld } from '../world.ts'
import { createApplianceRecords } from './appliances.ts'
import { createCableRecords } from './cables.ts'
import { createGatewayRecords } from './gateways.ts'
import { type LoadedLinks, loadedLinks } from './loaded-links.ts'
import { createPanelRecords } from './patch-panels.ts'
import { createPortRecords } from './ports.ts'
import { createSwitchRecords } from './switches.ts'
import { createZoneRecords } from '../zones/zones.ts'

/** Records of the equipment except hosts. They stay the same objects. */
export interface EquipmentRecords {
  readonly azs: ZoneRecord[]
  readonly switches: SwitchRecord[]
  readonly gateways: GatewayRecord[]
  readonly appliances: ApplianceRecord[]
  readonly patchPanels: PatchPanelRecord[]
  readonly cables: CableRecord[]
  /** The ports of a host, in order; updated with the other records. */
  hostPorts(row: number): PortRecord[]
  /** Updates all records to the present state of the world. */
  update(): void
  loadedLinks(): LoadedLinks
}

export function createEquipmentRecords(
  state: RecordedWorld,
  countBytes: () => void,
  booked: HostCosts | null = null,
): EquipmentRecords {
  const { hosts } = state.topology
  const ports = createPortRecords(state, countBytes)
  const azs = createZoneRecords(state, booked)
  const switches = createSwitchRecords(state, ports)
  const gateways = createGatewayRecords(state, ports)
  const appliances = createApplianceRecords(state, ports)
  const patchPanels = createPanelRecords(state, ports)
  const cables = createCableRecords(state)
  return {
    azs: azs.records,
    switches: switches.records,
    gateways: gateways.records,
    appliances: appliances.records,
    patchPanels: patchPanels.records,
    cables: cables.records,
    hostPorts: (row) => ports.listOf(hosts.firstPort[row], hosts.portCount[row]),
    update() {
      ports.update()
      azs.update()
      switches.update()
      gateways.update()
      appliances.update()
      patchPanels.update()
      cables.update()
    },
    loadedLinks: () => loadedLinks(state),
  }
}
