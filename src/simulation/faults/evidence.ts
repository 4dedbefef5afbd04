import { numberText } from '../../contract/messages/catalogue.ts'
import { type RootKind, type ThreatClass, threatClasses } from '../../contract/vocabularies.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import { threatClassCount } from '../state.ts'
import { type Micros, minute } from '../time.ts'
import { endsOf, nameOf, rowOf, tightestPool, zonesOf } from './targets.ts'

/** Something that was looked at because of a suspicion, and what it says about it. */
export interface Observation {
  /** With light markup: ** around what matters. */
  readonly label: string
  readonly value: string
  readonly detail: string
  /** How many times likelier the suspicion becomes. */
  readonly likelihood: number
}

/** Readings that are kept over time by the monitors. */
export interface Instruments {
  /** A customer's requests over what is usual for it lately. */
  rush(customerId: number): number
  flapsLately(port: number): number
}

interface Check {
  /** How long after the suspicion arose the reading is at hand. */
  readonly after: Micros
  readonly look: (state: WorldState, target: FaultTarget, instruments: Instruments) => Observation
}

const found = (label: string, value: string, detail: string, likelihood: number): Observation => ({
  label,
  value: `**${value}**`,
  detail,
  likelihood,
})
const normal = (label: string, value: string, detail: string, likelihood: number): Observation => ({
  label,
  value,
  detail,
  likelihood,
})

/** A check that reads one instrument, and finds it telling or normal. */
const reading = (
  after: Micros,
  label: (name: string) => string,
  tells: (state: WorldState, row: number, instruments: Instruments) => string | null,
  telling: readonly [detail: string, likelihood: number],
  otherwise: readonly [value: string, detail: string, likelihood: number],
): Check => ({
  after,
  look: (state, target, instruments) => {
    const value = tells(state, rowOf(target), instruments)
    const name = label(`**${nameOf(state, target)}**`)
    return value === null ? normal(name, ...otherwise) : found(name, value, ...telling)
  },
})

const percent = (share: number): string => `${numberText(Math.round(share * 100))} %`

const hostChecks = {
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

const powerChecks = {
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

const deviceChecks = {
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

const settingChecks = {
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
    reading(
      4 * minute,
      (name) => `Processor of the add-ons of ${name}`,
      ({ condition }, row) => (condition.gatewayThrottle[row] > 0 ? 'all cores busy' : null),
      ['A rule costs far more than it should, and packets wait for it.', 7],
      ['mostly idle', 'The add-ons keep up.', 0.12],
    ),
  ],
} satisfies Partial<Record<RootKind, readonly Check[]>>

const linkChecks = {
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
      ({ network, plant }, row) => {
        const lost = Math.max(...endsOf(plant, row).map((port) => network.portDroppedGbps[port]))
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
        return lost > 0
          ? found(label, `${numberText(lost)} Gbit/s dropped`, 'More arrives than it carries.', 2)
          : normal(label, 'keeps up', 'The fabric has room.', 0.15)
      },
    },
  ],
} satisfies Partial<Record<RootKind, readonly Check[]>>

function droppedBy({ network }: WorldState, target: FaultTarget): number {
  if (target.kind === 'Switch') return network.switchDroppedGbps[target.row]
  if (target.kind === 'Gateway') return network.gatewayDroppedGbps[target.row]
  return target.kind === 'Appliance' ? network.applianceDroppedGbps[target.row] : 0
}

/** Requests over the usual that count as a rush. */
const rushFrom = 1.3

const demandChecks = {
  CapacityExhaustion: [
    {
      after: 3 * minute,
      look: (state, target) => {
        const label = `Room in **${nameOf(state, target)}**`
        const wanted = target.kind === 'Pool' ? worstContention(state, target.row) : 0
        const waiting = target.kind === 'Pool' ? unitsWaiting(state, target.row) : 0
        if (waiting > 0)
          return found(label, `${waiting} units wait for a host`, 'The others work for them too.', 4)
        return wanted > 1.05
          ? found(label, `${percent(wanted)} of the CPU is wanted`, 'Units wait for each other.', 3.5)
          : normal(label, `${percent(wanted)} of the CPU is wanted`, 'Its hosts have time to spare.', 0.15)
      },
    },
  ],
  DemandSurge: [
    {
      after: 3 * minute,
      look: (state, target, instruments) => {
        const label = `Requests to **${nameOf(state, target)}**`
        const factor = target.kind === 'Customer' ? instruments.rush(target.id) : 1
        return factor > rushFrom
          ? found(label, `${numberText(factor)} times the usual`, 'Real users, and many of them.', 5)
          : normal(label, 'as usual', 'No more people than at other times.', 0.15)
      },
    },
  ],
  Attack: [
    {
      after: 2 * minute,
      look: (state, target) => {
        const label = `Hostile traffic at **${nameOf(state, target)}**`
        const classes = hostileClasses(state, target)
        return classes.length === 0
          ? normal(label, 'none', 'What arrives looks like users.', 0.1)
          : found(label, classes.join(', ').toLowerCase(), 'Sources and patterns of an attack.', 6)
      },
    },
  ],
} satisfies Partial<Record<RootKind, readonly Check[]>>

function worstContention({ plant, load }: WorldState, pool: number): number {
  let worst = 0
  for (let host = 0; host < plant.hosts.count; host++) {
    if (plant.hosts.pool[host] === pool && load.contention[host] > worst) worst = load.contention[host]
  }
  return worst
}

/** Units that found no room, of suffering customers whose tightest host is in the pool. */
function unitsWaiting(state: WorldState, pool: number): number {
  let waiting = 0
  for (const { id, requestedUnits, placedUnits, failing, p99Ms, p99BudgetMs } of state.tenants.active) {
    const suffers = failing > 0.01 || p99Ms > p99BudgetMs
    if (suffers && requestedUnits > placedUnits && tightestPool(state, id) === pool)
      waiting += requestedUnits - placedUnits
  }
  return waiting
}

/** Classes of attack that reach the gateways of a customer's zones and aim at it. */
function hostileClasses(state: WorldState, target: FaultTarget): string[] {
  if (target.kind !== 'Customer') return []
  const gateways = zonesOf(state, target).flatMap((zone) => state.plant.zones[zone].gateways)
  const aims = (threat: ThreatClass): boolean =>
    state.faults.active.some(({ attack }) => attack?.customerId === target.id && attack.class === threat)
  return threatClasses.filter(
    (threat, column) =>
      aims(threat) &&
      gateways.some((gateway) => state.threats.gatewayReaching[gateway * threatClassCount + column] > 0),
  )
}

const checks: Readonly<Record<RootKind, readonly Check[]>> = {
  Unknown: [],
  ...hostChecks,
  ...powerChecks,
  ...deviceChecks,
  ...settingChecks,
  ...linkChecks,
  ...demandChecks,
}

/** What is known about a suspicion so long after it arose. */
export function observe(
  state: WorldState,
  kind: RootKind,
  target: FaultTarget,
  age: Micros,
  instruments: Instruments,
): Observation[] {
  return checks[kind]
    .filter((check) => age >= check.after)
    .map((check) => check.look(state, target, instruments))
}

export const plain = (marked: string): string => marked.replaceAll('**', '')
