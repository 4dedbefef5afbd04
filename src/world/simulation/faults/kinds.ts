import { causeKeyOf } from '../../../contract/messages/incident-causes.ts'
import type { CauseKind } from '../../../contract/vocabularies.ts'
import type { CauseCatalog } from '../incidents/diagnosis/cause-diagnosis.ts'
import type { ActionRule, FaultKind, ShortageKind } from './fault-kind.ts'
import { capacityExhaustion } from './kinds/capacity/capacity-exhaustion.ts'
import { fabricSaturation } from './kinds/capacity/fabric-saturation.ts'
import { hostDrained } from './kinds/capacity/host-drained.ts'
import { linkSaturation } from './kinds/capacity/link-saturation.ts'
import { dnsError } from './kinds/customers/dns-error.ts'
import { expiredCertificate } from './kinds/customers/expired-certificate.ts'
import { failedRelease } from './kinds/customers/failed-release.ts'
import { attack } from './kinds/demand/attack.ts'
import { demandSurge } from './kinds/demand/demand-surge.ts'
import { coolingFailure } from './kinds/facility/cooling-failure.ts'
import { hungController } from './kinds/facility/hung-controller.ts'
import { powerFeedLoss } from './kinds/facility/power-feed-loss.ts'
import { stuckBatteryTest } from './kinds/facility/stuck-battery-test.ts'
import { waterLeak } from './kinds/facility/water-leak.ts'
import { clockDrift } from './kinds/hosts/clock-drift.ts'
import { diskFailure } from './kinds/hosts/disk-failure.ts'
import { fanFailure } from './kinds/hosts/fan-failure.ts'
import { hostFailure } from './kinds/hosts/host-failure.ts'
import { memoryErrors } from './kinds/hosts/memory-errors.ts'
import { powerSupplyFailure } from './kinds/hosts/power-supply-failure.ts'
import { cableCut } from './kinds/links/cable-cut.ts'
import { cableFault } from './kinds/links/cable-fault.ts'
import { carrierOutage } from './kinds/links/carrier-outage.ts'
import { portFlap } from './kinds/links/port-flap.ts'
import { transceiverFailure } from './kinds/links/transceiver-failure.ts'
import { addonThrottling } from './kinds/network/addon-throttling.ts'
import { applianceFailure } from './kinds/network/appliance-failure.ts'
import { broadcastStorm } from './kinds/network/broadcast-storm.ts'
import { expiredLicense } from './kinds/network/expired-license.ts'
import { firmwareFault } from './kinds/network/firmware-fault.ts'
import { gatewayFailure } from './kinds/network/gateway-failure.ts'
import { misconfiguration } from './kinds/network/misconfiguration.ts'
import { routeLeak } from './kinds/network/route-leak.ts'
import { switchFailure } from './kinds/network/switch-failure.ts'

/** All fault kinds. Operators consider equally likely suspects in this order; changing it changes every world. */
export const faultKinds = {
  HostFailure: hostFailure,
  DiskFailure: diskFailure,
  PowerSupplyFailure: powerSupplyFailure,
  FanFailure: fanFailure,
  PortFlap: portFlap,
  CableCut: cableCut,
  TransceiverFailure: transceiverFailure,
  CableFault: cableFault,
  LinkSaturation: linkSaturation,
  FabricSaturation: fabricSaturation,
  CapacityExhaustion: capacityExhaustion,
  SwitchFailure: switchFailure,
  GatewayFailure: gatewayFailure,
  ApplianceFailure: applianceFailure,
  FirmwareFault: firmwareFault,
  BroadcastStorm: broadcastStorm,
  AddonThrottling: addonThrottling,
  Misconfiguration: misconfiguration,
  PowerFeedLoss: powerFeedLoss,
  CoolingFailure: coolingFailure,
  DemandSurge: demandSurge,
  Attack: attack,
  ExpiredCertificate: expiredCertificate,
  FailedRelease: failedRelease,
  DnsError: dnsError,
  ClockDrift: clockDrift,
  MemoryErrors: memoryErrors,
  StuckBatteryTest: stuckBatteryTest,
  WaterLeak: waterLeak,
  RouteLeak: routeLeak,
  ExpiredLicense: expiredLicense,
  HostDrained: hostDrained,
  CarrierOutage: carrierOutage,
  HungController: hungController,
} as const satisfies Record<CauseKind, FaultKind>

/** Kinds that a scenario action can cause. */
export type InjectableKind = {
  [Kind in CauseKind]: (typeof faultKinds)[Kind] extends ShortageKind ? never : Kind
}[CauseKind]

const kinds = Object.entries(faultKinds) as readonly (readonly [CauseKind, FaultKind])[]

/** Diagnostic knowledge about each kind. */
export const causeCatalog = Object.fromEntries(
  kinds.map(([name, { diagnosis, origin }]) => [
    name,
    { ...diagnosis, message: causeKeyOf(name), isShortage: origin.type === 'shortage' },
  ]),
) as CauseCatalog

/** The scenario actions. */
export const faultActions = Object.fromEntries(
  kinds.flatMap(([name, { action }]) => (action === null ? [] : [[name, action]])),
) as Readonly<Record<InjectableKind, ActionRule>>
