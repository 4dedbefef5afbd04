import { numberText } from '../../contract/messages/catalogue.ts'
import type { RootKind } from '../../contract/vocabularies.ts'
import { throttledFrom } from '../network/capabilities.ts'
import { anyGbps, overflowGbps } from '../network/saturation.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import { minute } from '../time.ts'
import { type Check, found, normal, percent, reading } from './check.ts'
import { endsOf, nameOf, rowOf } from './targets.ts'

/** What is looked at where settings, links or fabrics are suspected. */

const wrongRule = ({ condition, physical }: WorldState, target: FaultTarget): string | null => {
  if (target.kind === 'Appliance') {
    const share = condition.applianceMisrule[target.row]
    return share > 0 ? `${percent(share)} of sessions denied` : null
  }
  if (target.kind !== 'Gateway') return null
  return physical.gatewayUp[target.row] > 0 && condition.gatewayWithdrawn[target.row] > 0
    ? 'routes withdrawn'
    : null
}

export const settingChecks = {
  Misconfiguration: [
    {
      after: 6 * minute,
      look: (state, target) => {
        const label = `Running configuration of **${nameOf(state, target)}**`
        const value = wrongRule(state, target)
        return value === null
          ? normal(label, 'as approved', 'It equals the last approved version.', 0.2)
          : found(label, value, 'It differs from the last approved version.', 6)
      },
    },
  ],
  AddonThrottling: [
    {
      after: 4 * minute,
      look: (state, target) => {
        const label = `Processor of the add-ons of **${nameOf(state, target)}**`
        const row = rowOf(target)
        const taken = state.network.gatewayThrottle[row]
        if (state.condition.gatewayThrottle[row] > 0) {
          const detail = 'A rule costs far more than it should, and packets wait for it.'
          return found(label, 'all cores busy', detail, 7)
        }
        return taken < throttledFrom
          ? normal(label, 'mostly idle', 'The add-ons keep up.', 0.12)
          : normal(
              label,
              `busy, ${percent(taken)} of forwarding`,
              'They filter hostile traffic, as they should.',
              0.12,
            )
      },
    },
  ],
} satisfies Partial<Record<RootKind, readonly Check[]>>

export const linkChecks = {
  PortFlap: [
    reading(
      4 * minute,
      (name) => `Contact at ${name}`,
      ({ condition }, row, instruments) =>
        condition.portFlapping[row] > 0
          ? `${numberText(Math.max(1, instruments.flapsLately(row)))} interruptions`
          : null,
      ['The link light goes out when the cable is touched by the air stream.', 5],
      ['steady', 'This end holds its signal.', 0.2],
    ),
  ],
  TransceiverFailure: [
    reading(
      4 * minute,
      (name) => `Light received from ${name}`,
      ({ condition }, row) => (condition.portLoss[row] > 0 ? '-27 dBm' : null),
      ['Far too dark: the laser is at its end.', 6],
      ['-3 dBm', 'As bright as it should be.', 0.15],
    ),
  ],
  CableCut: [
    reading(
      5 * minute,
      (name) => `Reflection along ${name}`,
      ({ condition, plant }, row) =>
        condition.cableCut[row] > 0
          ? `open end at ${numberText(Math.ceil(plant.cables.lengthM[row] / 3))} m`
          : null,
      ['The signal comes back from the middle of the way.', 7],
      ['none', 'The cable is whole.', 0.12],
    ),
  ],
  LinkSaturation: [
    reading(
      3 * minute,
      (name) => `Queue at ${name}`,
      (state, row) => {
        const lost = Math.max(...endsOf(state.plant, row).map((port) => overflowGbps(state, port)))
        return lost > 0 ? `${numberText(lost)} Gbit/s dropped` : null
      },
      ['More is sent than the link takes.', 2.2],
      ['empty', 'The link has room.', 0.15],
    ),
  ],
  FabricSaturation: [
    {
      after: 3 * minute,
      look: (state, target) => {
        const label = `Fabric of **${nameOf(state, target)}**`
        const lost = droppedBy(state, target)
        return lost > anyGbps
          ? found(label, `${numberText(lost)} Gbit/s dropped`, 'More arrives than it carries.', 2)
          : normal(label, 'keeps up', 'The fabric has room.', 0.15)
      },
    },
  ],
} satisfies Partial<Record<RootKind, readonly Check[]>>

function droppedBy({ network }: WorldState, target: FaultTarget): number {
  if (target.kind === 'Switch') return network.switchDroppedGbps[target.row]
  if (target.kind === 'Gateway') return network.gatewayDroppedGbps[target.row]
  if (target.kind !== 'Appliance') return 0
  // What rules refuse did fit.
  return network.applianceDroppedGbps[target.row] - network.applianceRefusedGbps[target.row]
}
