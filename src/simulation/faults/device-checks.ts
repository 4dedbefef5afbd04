import type { RootKind } from '../../contract/vocabularies.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import { minute } from '../time.ts'
import { type Check, found, normal, percent, reading } from './check.ts'
import { nameOf } from './targets.ts'

/** What is looked at where a device, its power or its cooling is suspected. */

export const hostChecks = {
  HostFailure: [
    reading(
      3 * minute,
      (name) => `Management port of ${name}`,
      ({ physical }, row) =>
        physical.hostPowered[row] > 0 &&
        physical.hostRunning[row] === 0 &&
        physical.hostHeatTripped[row] === 0
          ? 'powered, system halted'
          : null,
      ['It has power, yet nothing runs on it.', 6],
      ['system up', 'The machine itself is well.', 0.12],
    ),
  ],
  DiskFailure: [
    reading(
      2 * minute,
      (name) => `Disk health of ${name}`,
      ({ condition }, row) => (condition.hostDiskBroken[row] > 0 ? '1 SSD failed' : null),
      ['The array runs without one of its members.', 7],
      ['all SSDs well', 'No disk reports errors of its own.', 0.1],
    ),
  ],
  FanFailure: [
    reading(
      2 * minute,
      (name) => `Fan speed of ${name}`,
      ({ condition }, row) => (condition.hostFanBroken[row] > 0 ? '0 rpm' : null),
      ['A fan stands still although it is told to turn.', 8],
      ['7 200 rpm', 'The fans turn as they are told to.', 0.08],
    ),
  ],
} satisfies Partial<Record<RootKind, readonly Check[]>>

const suppliesBroken = ({ condition }: WorldState, target: FaultTarget): number =>
  target.kind === 'Host'
    ? condition.hostSupplyBroken[target.row]
    : target.kind === 'Switch'
      ? condition.switchSupplyBroken[target.row]
      : 0

export const powerChecks = {
  PowerSupplyFailure: [
    {
      after: 2 * minute,
      look: (state, target) => {
        const label = `Power supplies of **${nameOf(state, target)}**`
        const broken = suppliesBroken(state, target)
        if (broken === 0) return normal(label, 'both deliver', 'Nothing is wrong with its supplies.', 0.08)
        return found(
          label,
          broken === 3 ? '0 of 2 deliver' : '1 of 2 delivers',
          'A supply gives no voltage.',
          7,
        )
      },
    },
  ],
  PowerFeedLoss: [
    reading(
      minute,
      (name) => `Voltage on ${name}`,
      ({ physical }, row) => (physical.feedLive[row] === 0 ? '0 V' : null),
      ['Nothing arrives from the supplier or the batteries.', 10],
      ['230 V', 'The feed is live.', 0.04],
    ),
  ],
  CoolingFailure: [
    reading(
      2 * minute,
      (name) => `Compressor of ${name}`,
      ({ condition }, row) => (condition.coolingBroken[row] > 0 ? 'stopped' : null),
      ['It takes no heat away.', 8],
      ['running', 'It does what it can.', 0.08],
    ),
  ],
} satisfies Partial<Record<RootKind, readonly Check[]>>

const dead = (up: ArrayLike<number>, feeds: ArrayLike<number>, row: number): string | null =>
  up[row] === 0 && feeds[row] > 0 ? 'no answer' : null

export const deviceChecks = {
  SwitchFailure: [
    reading(
      3 * minute,
      (name) => `Console of ${name}`,
      ({ physical }, row) => dead(physical.switchUp, physical.switchFeeds, row),
      ['It has power, and its console is silent.', 5],
      ['answers', 'The switch itself runs.', 0.12],
    ),
  ],
  GatewayFailure: [
    reading(
      3 * minute,
      (name) => `Console of ${name}`,
      ({ physical }, row) => dead(physical.gatewayUp, physical.gatewayFeeds, row),
      ['It has power, and its console is silent.', 5],
      ['answers', 'The gateway itself runs.', 0.12],
    ),
  ],
  ApplianceFailure: [
    reading(
      3 * minute,
      (name) => `Console of ${name}`,
      ({ physical }, row) => dead(physical.applianceUp, physical.applianceFeeds, row),
      ['It has power, and its console is silent.', 5],
      ['answers', 'The appliance itself runs.', 0.12],
    ),
  ],
  FirmwareFault: [
    reading(
      5 * minute,
      (name) => `Fabric planes of ${name}`,
      ({ condition }, row) =>
        condition.switchFabricLost[row] > 0 ? `${percent(condition.switchFabricLost[row])} offline` : null,
      ['They went offline with an assertion in the firmware log.', 7],
      ['all online', 'The firmware log shows nothing unusual.', 0.15],
    ),
  ],
  BroadcastStorm: [
    reading(
      2 * minute,
      (name) => `Broadcast frames at ${name}`,
      ({ condition }, row) => (condition.switchStorm[row] > 0 ? 'two thirds of all frames' : null),
      ['The same frames come round again and again.', 8],
      ['below 1 %', 'Broadcasts are as rare as they should be.', 0.08],
    ),
  ],
} satisfies Partial<Record<RootKind, readonly Check[]>>
