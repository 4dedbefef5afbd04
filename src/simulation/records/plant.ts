import type {
  ApplianceRecord,
  CableRecord,
  GatewayRecord,
  PatchPanelRecord,
  PortRecord,
  SwitchRecord,
  ZoneRecord,
} from '../../contract/collections.ts'
import type { HostCosts } from '../customers/host-costs.ts'
import type { WorldState } from '../state.ts'
import { createApplianceRecords } from './plant-appliances.ts'
import { createCableRecords } from './plant-cables.ts'
import { createGatewayRecords } from './plant-gateways.ts'
import { type LoadedLinks, loadedLinks } from './plant-links.ts'
import { createPanelRecords } from './plant-panels.ts'
import { createPortRecords } from './plant-ports.ts'
import { createSwitchRecords } from './plant-switches.ts'
import { createZoneRecords } from './plant-zones.ts'

/** Records of all that the plant is made of, but for the hosts themselves. They stay the same objects. */
export interface PlantRecords {
  readonly azs: ZoneRecord[]
  readonly switches: SwitchRecord[]
  readonly gateways: GatewayRecord[]
  readonly appliances: ApplianceRecord[]
  readonly patchPanels: PatchPanelRecord[]
  readonly cables: CableRecord[]
  /** The ports of a host, in order; kept up to date with everything else. */
  hostPorts(row: number): PortRecord[]
  /** Brings all records to the present state of the world. */
  update(): void
  loadedLinks(): LoadedLinks
}

export function createPlantRecords(state: WorldState, booked: HostCosts | null = null): PlantRecords {
  const { hosts } = state.plant
  const ports = createPortRecords(state)
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
