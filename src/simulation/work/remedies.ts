import { cableKinds, type RootKind } from '../../contract/vocabularies.ts'
import type { Plant } from '../plant/tables.ts'
import type { RandomStream } from '../random.ts'
import type { Fault, FaultTarget } from '../state.ts'
import type { Plan, PlannedStep } from './orders.ts'
import { aPart, type PartKind, parts } from './spares.ts'
import type { Skill } from './staff.ts'

/** What a remedy is made for. */
export interface Patient {
  readonly name: string
  readonly fault: Fault
  readonly plant: Plant
}

type Remedy = (patient: Patient, random: RandomStream) => Plan

const assign = (minutes: number): PlannedStep => ({ kind: 'Assign', detail: 'Read the ticket', minutes })
/** The estimate is made when it is known who goes, and from where. */
const travel = (name: string): PlannedStep => ({ kind: 'Travel', detail: `Go to ${name}`, minutes: 6 })
const access = { kind: 'Access' } as const
const fetch = (part: PartKind): PlannedStep => ({
  kind: 'FetchSpare',
  detail: `Fetch ${aPart(part)} from the shelf`,
  minutes: 6,
  needs: { kind: 'Spare', part },
})

/** Somebody swaps a part: the shape of most repairs by hand. */
const swap =
  (
    skill: Skill,
    part: PartKind,
    swapping: PlannedStep,
    after: (name: string) => readonly PlannedStep[],
  ): Remedy =>
  ({ name }) => ({
    kind: 'Replace',
    label: `Replace the ${parts[part].name} of ${name}`,
    skill,
    onSite: true,
    steps: [assign(3), travel(name), fetch(part), { ...swapping, needs: access }, ...after(name)],
  })

/** Somebody, or the automation, changes settings from afar. */
const reconfigure =
  (skill: Skill | null, what: string, steps: (name: string) => readonly PlannedStep[]): Remedy =>
  ({ name }) => ({
    kind: 'Reconfigure',
    label: `${what} ${name}`,
    skill,
    onSite: false,
    steps: [...(skill === null ? [] : [assign(2)]), ...steps(name)],
  })

const mitigate =
  (skill: Skill | null, what: string, steps: (name: string) => readonly PlannedStep[]): Remedy =>
  ({ name }) => ({
    kind: 'Mitigate',
    label: `${what} ${name}`,
    skill,
    anybody: true,
    onSite: false,
    steps: [...(skill === null ? [] : [assign(2)]), ...steps(name)],
  })

/** Of ten hosts that fail, how many come back by a power cycle. */
const restartable = 0.45
const powerCycle: Remedy = ({ name }) => ({
  kind: 'Repair',
  label: `Restart ${name}`,
  skill: null,
  onSite: false,
  steps: [
    { kind: 'Configure', detail: `Power cycle ${name} over its management port`, minutes: 3 },
    { kind: 'Test', detail: 'Check its memory, disks and links', minutes: 6 },
    { kind: 'Restore', detail: `Give ${name} back to its pool`, minutes: 2 },
  ],
})
const rebuild = swap(
  'hardware',
  'mainboard',
  { kind: 'Swap', detail: 'Change the mainboard and move disks and memory over', minutes: 38 },
  (name) => [
    { kind: 'Test', detail: 'Burn in, then check memory, disks and links', minutes: 16 },
    { kind: 'Restore', detail: `Give ${name} back to its pool`, minutes: 3 },
  ],
)
const restoreHost: Remedy = (patient, random) => {
  if (random.chance(restartable)) return powerCycle(patient, random)
  const plan = rebuild(patient, random)
  const drain: PlannedStep = {
    kind: 'Drain',
    detail: 'Move off what is left on it, and lock it out',
    minutes: 4,
  }
  return { ...plan, steps: [plan.steps[0], drain, ...plan.steps.slice(1)] }
}

const restoreFeed: Remedy = ({ name }) => ({
  kind: 'Repair',
  label: `Bring back ${name}`,
  skill: 'power',
  onSite: true,
  steps: [
    assign(2),
    travel(name),
    { kind: 'Inspect', detail: 'Check switchgear, batteries and generator', minutes: 14, needs: access },
    {
      kind: 'Swap',
      detail: 'Change the breaker with the electricity supplier',
      minutes: 28,
      needs: { kind: 'Vendor', minutes: [40, 200] },
    },
    { kind: 'Test', detail: 'Load the feed step by step', minutes: 9 },
    { kind: 'Restore', detail: 'Share the load between both feeds again', minutes: 3 },
  ],
})

/** Of ten cooling units that fail, how many need a new compressor. */
const compressorGone = 0.4
const restoreCooling: Remedy = ({ name }, random) => {
  const work: readonly PlannedStep[] = random.chance(compressorGone)
    ? [
        {
          kind: 'FetchSpare',
          detail: 'Fetch a compressor',
          minutes: 10,
          needs: { kind: 'Spare', part: 'compressor' },
        },
        { kind: 'Swap', detail: 'Change the compressor and fill it with coolant', minutes: 75 },
      ]
    : [{ kind: 'Clean', detail: 'Clear the condenser and restart the pump', minutes: 35 }]
  return {
    kind: 'Repair',
    label: `Repair ${name}`,
    skill: 'power',
    onSite: true,
    steps: [
      assign(2),
      travel(name),
      { kind: 'Inspect', detail: 'Read pressures and temperatures', minutes: 8, needs: access },
      ...work,
      { kind: 'Test', detail: 'Wait until the cold aisle is cold', minutes: 12 },
    ],
  }
}

function kindOfCable(plant: Plant, target: FaultTarget): (typeof cableKinds)[number] {
  return target.kind === 'Cable' ? cableKinds[plant.cables.kind[target.row]] : 'Copper'
}

const carrierSplice = (name: string): Plan => ({
  kind: 'Repair',
  label: `Have the carrier splice ${name}`,
  skill: 'network',
  onSite: false,
  steps: [
    assign(3),
    { kind: 'Inspect', detail: 'Measure with light where the fibre ends', minutes: 10 },
    {
      kind: 'Splice',
      detail: "The carrier's crew splices the fibre",
      minutes: 55,
      needs: { kind: 'Vendor', minutes: [60, 260] },
    },
    { kind: 'Test', detail: 'Measure the loss end to end', minutes: 8 },
  ],
})

const recable: Remedy = ({ name, fault, plant }) => {
  const kind = kindOfCable(plant, fault.target)
  if (kind === 'WanFiber') return carrierSplice(name)
  const pull: PlannedStep =
    kind === 'Fiber'
      ? {
          kind: 'Splice',
          detail: 'Pull a new fibre through the trays and splice it',
          minutes: 42,
          needs: access,
        }
      : { kind: 'Swap', detail: 'Pull a new cable and plug it in at both ends', minutes: 22, needs: access }
  return {
    kind: 'Recable',
    label: `Replace ${name}`,
    skill: 'network',
    onSite: true,
    steps: [
      assign(3),
      travel(name),
      fetch('cable'),
      pull,
      { kind: 'Test', detail: 'Check light and errors at both ends', minutes: 5 },
    ],
  }
}

const reseat: Remedy = ({ name }) => ({
  kind: 'Recable',
  label: `Clean and reseat ${name}`,
  skill: 'network',
  onSite: true,
  steps: [
    assign(3),
    travel(name),
    { kind: 'Clean', detail: 'Clean both ends and plug them in again', minutes: 10, needs: access },
    { kind: 'Test', detail: 'Watch the link for flaps', minutes: 6 },
  ],
})

const automaticFilter: Remedy = ({ name, fault }) => ({
  kind: 'Mitigate',
  label: `Filter the ${fault.attack?.class.toLowerCase() ?? 'hostile'} attack on ${name}`,
  skill: null,
  onSite: false,
  steps: [
    { kind: 'Inspect', detail: 'Sample what arrives and find what it has in common', minutes: 4 },
    { kind: 'Filter', detail: 'Announce filters to the gateways and the carriers', minutes: 8 },
    { kind: 'Test', detail: 'Check that good requests still get through', minutes: 4 },
  ],
})
const filterByHand: Remedy = ({ name, fault }) => ({
  kind: 'Mitigate',
  label: `Stop the ${fault.attack?.class.toLowerCase() ?? 'hostile'} attack on ${name}`,
  skill: 'security',
  anybody: true,
  onSite: false,
  steps: [
    assign(2),
    { kind: 'Inspect', detail: 'Tell the attack from the users', minutes: 14 },
    { kind: 'Filter', detail: 'Write rules for what only the attack does', minutes: 12 },
    ...(fault.attack?.class === 'Intrusion'
      ? [{ kind: 'Restore', detail: 'Renew keys and close what was opened', minutes: 30 } as const]
      : []),
    { kind: 'Test', detail: 'Check that good requests still get through', minutes: 6 },
  ],
})
const stopAttack: Remedy = (patient, random) => {
  const what = patient.fault.attack?.class
  const byHand = what === 'Application' || what === 'Intrusion'
  return (byHand ? filterByHand : automaticFilter)(patient, random)
}

const networkDevice =
  (part: PartKind): Remedy =>
  (patient, random) => ({ ...newDevice(part)(patient, random), label: `Replace ${patient.name}` })
const newDevice = (part: PartKind): Remedy =>
  swap(
    'network',
    part,
    { kind: 'Swap', detail: 'Rack the new one and move the cables over', minutes: 34 },
    () => [
      { kind: 'Configure', detail: 'Load the saved configuration', minutes: 10 },
      { kind: 'Test', detail: 'Check every neighbour and every route', minutes: 8 },
    ],
  )

/** Nothing is broken: there is more demand than room. */
const relieve: Remedy = mitigate(null, 'Relieve', () => [
  { kind: 'Inspect', detail: 'Find out who fills it', minutes: 4 },
  { kind: 'Configure', detail: 'Hold back those who ask for most, the cheapest plans first', minutes: 10 },
  { kind: 'Test', detail: 'Check that there is room again', minutes: 5 },
])

const remedies: Readonly<Record<Exclude<RootKind, 'Unknown'>, Remedy>> = {
  HostFailure: restoreHost,
  DiskFailure: swap(
    'hardware',
    'ssd',
    { kind: 'Swap', detail: 'Pull the broken SSD, push in the new one', minutes: 12 },
    () => [{ kind: 'Test', detail: 'Let the array rebuild and check it', minutes: 26 }],
  ),
  PowerSupplyFailure: swap(
    'hardware',
    'psu',
    { kind: 'Swap', detail: 'Change the power supply while the other carries on', minutes: 9 },
    () => [{ kind: 'Test', detail: 'Check that both supplies share the load', minutes: 4 }],
  ),
  PowerFeedLoss: restoreFeed,
  FanFailure: swap(
    'hardware',
    'fan',
    { kind: 'Swap', detail: 'Change the fan tray while it runs', minutes: 8 },
    () => [{ kind: 'Test', detail: 'Watch the temperatures fall', minutes: 6 }],
  ),
  CoolingFailure: restoreCooling,
  SwitchFailure: networkDevice('switch'),
  GatewayFailure: networkDevice('gateway'),
  ApplianceFailure: networkDevice('appliance'),
  PortFlap: reseat,
  CableCut: recable,
  TransceiverFailure: swap(
    'network',
    'transceiver',
    { kind: 'Swap', detail: 'Change the transceiver', minutes: 7 },
    () => [{ kind: 'Test', detail: 'Check light and errors', minutes: 5 }],
  ),
  FirmwareFault: reconfigure(null, 'Roll back the firmware of', (name) => [
    { kind: 'Configure', detail: `Load the last good firmware on ${name}`, minutes: 14 },
    { kind: 'Test', detail: 'Check forwarding at full rate', minutes: 8 },
  ]),
  LinkSaturation: relieve,
  FabricSaturation: relieve,
  BroadcastStorm: reconfigure('network', 'End the broadcast storm on', () => [
    { kind: 'Inspect', detail: 'Find the port that loops', minutes: 12 },
    { kind: 'Configure', detail: 'Shut the port and turn on loop protection', minutes: 4 },
    { kind: 'Test', detail: 'Check that broadcasts are back to normal', minutes: 5 },
  ]),
  Misconfiguration: reconfigure('network', 'Correct the configuration of', () => [
    { kind: 'Inspect', detail: 'Compare with the last good configuration', minutes: 9 },
    { kind: 'Configure', detail: 'Roll back the wrong change', minutes: 4 },
    { kind: 'Test', detail: 'Check routes and rules from outside', minutes: 5 },
  ]),
  AddonThrottling: reconfigure('security', 'Tune the add-ons of', () => [
    { kind: 'Inspect', detail: 'Find the rule that costs so much', minutes: 8 },
    { kind: 'Configure', detail: 'Rewrite it and restart the add-on', minutes: 7 },
    { kind: 'Test', detail: 'Check that the gateway forwards at full rate', minutes: 4 },
  ]),
  CapacityExhaustion: relieve,
  DemandSurge: mitigate('platform', 'Ride out the rush on', () => [
    { kind: 'Inspect', detail: 'See what everybody asks for', minutes: 6 },
    { kind: 'Configure', detail: 'Serve it from caches and queue the rest', minutes: 14 },
    { kind: 'Test', detail: 'Check response times', minutes: 5 },
  ]),
  Attack: stopAttack,
}

/** What a cause calls for. */
export function remedyFor(patient: Patient, random: RandomStream): Plan {
  const { kind } = patient.fault
  if (kind === 'Unknown')
    throw new Error(`fault ${patient.fault.id} has no kind, so nothing can be done about it`)
  return remedies[kind](patient, random)
}
