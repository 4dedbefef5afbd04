import { ageHours, hoursPerYear } from '../../facility/depreciation.ts'
import { largerModel } from '../../topology/construction/works.ts'
import type { DeviceTable, NetworkSku } from '../../topology/tables.ts'
import { idOf } from '../../topology/tables.ts'
import type { NetworkDevice, UpgradableRole } from '../../topology/works.ts'
import { upgradableRoles } from '../../topology/works.ts'
import type { OperatorContext } from '../context.ts'
import { linksByRole } from '../links.ts'
import { linkIndex } from '../observation.ts'
import { dollarsPerLinkGbps, dollarsPerWanGbps, installationShare } from '../prices.ts'
import { isOnOrder, order, refuse } from '../purchasing.ts'

/** Faster links, and network devices with more capacity. */

/** A peak above the first share requires an order; the order brings it below the second. */
const peakMax = 0.62
const peakWanted = 0.48
const speeds = [10, 25, 40, 100, 400] as const

/** Age at which devices are replaced, one at a time. */
const deviceYearsMax = 5

const nameOfRole: Readonly<Record<UpgradableRole, string>> = {
  AggregationUp: 'links from aggregation to core switches',
  CoreUp: 'links from core switches to firewalls',
  ApplianceOutside: 'links from firewalls to gateways',
  ApplianceOneArm: 'links of scrubber, IPS and load balancers',
  GatewayWan: 'WAN lines',
}

export function planNetwork(context: OperatorContext): void {
  for (let zone = 0; zone < context.world.topology.zones.length; zone++) {
    upgradableRoles.forEach((role, index) => planLinks(context, zone, role, linkIndex(zone, index)))
  }
  const { topology } = context.world
  const { switchPeak, gatewayPeak, appliancePeak } = context.state
  planDevices(context, 'Switch', topology.switches, topology.switchSkus, switchPeak)
  planDevices(context, 'Gateway', topology.gateways, topology.gatewaySkus, gatewayPeak)
  planDevices(context, 'Appliance', topology.appliances, topology.applianceSkus, appliancePeak)
}

function planLinks(context: OperatorContext, zone: number, role: UpgradableRole, at: number): void {
  const { world, state } = context
  const { cables, ports, zones } = world.topology
  const links = linksByRole(world.topology)[at].flat()
  const peak = state.linkPeak[at]
  if (peak < peakMax || links.length === 0) return
  if (isOnOrder(context, (works) => works.kind === 'Links' && works.zone === zone && works.role === role))
    return
  const now = Math.min(...links.map((cable) => ports.capacityGbps[cables.a[cable]]))
  const faster = speeds.filter((speed) => speed > now)
  const gbps = faster.find((speed) => (peak * now) / speed <= peakWanted) ?? faster.at(-1)
  const name = `the ${links.length} ${nameOfRole[role]} of ${zones[zone].displayName}`
  const need = {
    because: `they were ${Math.round(peak * 100)} % full at the peak`,
    entity: { kind: 'Zone', id: idOf(zone) },
    zone,
  } as const
  if (gbps === undefined) {
    refuse(context, { ...need, what: `faster ports for ${name}`, dollars: 0 }, 'room')
    return
  }
  const isWan = role === 'GatewayWan'
  order(context, {
    ...need,
    what: `${gbps} Gbit/s for ${name}`,
    works: [{ kind: 'Links', zone, role, gbps }],
    dollars: links.length * gbps * (isWan ? dollarsPerWanGbps : dollarsPerLinkGbps),
    lead: isWan ? 'Wan' : 'Links',
  })
}

const isDeviceOnOrder = (context: OperatorContext, device: NetworkDevice, row: number): boolean =>
  isOnOrder(context, (works) => works.kind === 'Device' && works.device === device && works.row === row)

/** Whether a replacement of equal capacity is on order. */
function isRenewing(context: OperatorContext): boolean {
  const { topology } = context.world
  const capacityOf = {
    Switch: (row: number) => topology.switchSkus[topology.switches.sku[row]].fabricGbps,
    Gateway: (row: number) => topology.gatewaySkus[topology.gateways.sku[row]].fabricGbps,
    Appliance: (row: number) => topology.applianceSkus[topology.appliances.sku[row]].fabricGbps,
  }
  return isOnOrder(
    context,
    (works) => works.kind === 'Device' && works.fabricGbps === capacityOf[works.device](works.row),
  )
}

function planDevices(
  context: OperatorContext,
  device: NetworkDevice,
  table: DeviceTable,
  skus: readonly NetworkSku[],
  peaks: Float64Array,
): void {
  for (let row = 0; row < table.count; row++) {
    const isFull = peaks[row] >= peakMax
    const years = ageHours(table, row, context.world.now) / hoursPerYear
    if (!isFull && (years < deviceYearsMax || isRenewing(context))) continue
    if (isDeviceOnOrder(context, device, row)) continue
    const { fabricGbps: now } = skus[table.sku[row]]
    const wanted = isFull ? (now * peaks[row]) / peakWanted : now
    const model = largerModel(context.site, device, row, wanted)
    order(context, {
      what: `a ${model.name} with ${model.fabricGbps} Gbit/s for ${table.name[row]}`,
      because: isFull
        ? `its ${now} Gbit/s were used to ${Math.round(Math.min(1, peaks[row]) * 100)} % at the peak`
        : `it is ${Math.round(years * 10) / 10} years old`,
      entity: { kind: device, id: idOf(row) },
      zone: table.zone[row],
      works: [{ kind: 'Device', device, row, fabricGbps: model.fabricGbps }],
      dollars: model.priceDollars * (1 + installationShare),
      lead: 'Device',
    })
  }
}
