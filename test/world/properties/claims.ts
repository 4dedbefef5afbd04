import { messageText } from '../../../src/contract/messages/catalog.ts'
import type { Collections, ZoneRecord } from '../../../src/contract/collections.ts'
import { threatClasses } from '../../../src/contract/vocabularies.ts'
import type { CauseKind } from '../../../src/contract/vocabularies.ts'
import { lossOfCooling } from '../../../src/tables/columns/equipment/zones.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { secondsBetween, spanText } from '../../../src/words/moments.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import type { ActionTarget } from '../../../src/world/simulation/faults/fault-kind.ts'
import { faultActions } from '../../../src/world/simulation/faults/kinds.ts'
import { hour, minute } from '../../../src/world/simulation/time.ts'
import type { FaultTarget } from '../../../src/world/simulation/topology/fault-target.ts'

/** The claims of readings and sentences, held against the records beside them in the same publish. */

type Publish = Collections
/** Whether a claim is true; null where the publish does not name what it is about. */
type Claim = readonly [claim: RegExp, isTrue: (publish: Publish, ...found: string[]) => boolean | null]

const deviceOf = ({ hosts, switches, gateways, appliances }: Publish, name: string) =>
  [...hosts, ...switches, ...gateways, ...appliances].find(({ display_name_plain: own }) => own === name)
const hostOf = ({ hosts }: Publish, name: string) => hosts.find(({ display_name_plain: own }) => own === name)
const zoneOf = ({ azs: zones }: Publish, name: string) => zones.find(({ display_name: own }) => own === name)
const feedOf = (publish: Publish, side: string, zone: string) =>
  zoneOf(publish, zone)?.power_feeds.find(({ feed }) => feed === side)
const unitOf = ({ azs: zones }: Publish, name: string) =>
  zones.flatMap(({ cooling_units: units }) => units).find((unit) => unit.name === name)
const isPowered = (publish: Publish, name: string): boolean | null => deviceOf(publish, name)?.powered ?? null
const orNull = (value: boolean | undefined): boolean | null => value ?? null
const not = (value: boolean | null): boolean | null => (value === null ? null : !value)

type Holds = (publish: Publish, ...found: string[]) => boolean | null
const isOff: Holds = (publish, name) => not(isPowered(publish, name))
const isLive: Holds = (publish, side, zone) => orNull(feedOf(publish, side, zone)?.powered)
const isDead: Holds = (publish, side, zone) => not(isLive(publish, side, zone))
const works: Holds = (publish, name) => orNull(unitOf(publish, name)?.working)
const hasStopped: Holds = (publish, name) => not(works(publish, name))

const instruments =
  'Management port|Disk health|Fan speed|Air through|Clock|Corrected memory errors|Console|Fabric planes|License|Running configuration|CPU of the add-ons|Prefixes announced|Broadcast frames'

export const claims: readonly Claim[] = [
  [new RegExp(`^(?:${instruments}) (?:of|at|by) (\\S+): (?!no answer)`), isPowered],
  [/ (\S+): no answer\. It has no power\.$/, isOff],
  [/^Management port of (\S+): system up/, (publish, name) => orNull(hostOf(publish, name)?.powered)],
  [/^UPS of power feed (\S) of (.+): on utility\. /, isLive],
  [/^UPS of power feed (\S) of (.+): on battery, [1-9]/, isLive],
  [/^UPS of power feed (\S) of (.+): (?:off|batteries empty|on utility, breaker)/, isDead],
  [/^Voltage on power feed (\S) of (.+): 0 V/, isDead],
  [/^Voltage on power feed (\S) of (.+): [1-9]/, isLive],
  [/^Compressor of cooling unit (\S+): running/, works],
  [/^Compressor of cooling unit (\S+): stopped/, hasStopped],
  [/^Leak sensor under cooling unit (\S+): wet/, hasStopped],
  [/^Power supplies of (\S+): none has input voltage/, isOff],
  [/^Power supplies of (\S+): (?:1 of 2 delivers|none reports)/, isPowered],
  [/^Event: (\S+) in .+ is healthy again\.$/, isPowered],
  [/^Event: Voltage is back on power feed (\S) of (.+)\.$/, isLive],
  [/^Open: There is no voltage on power feed (\S) of (.+)\.$/, isDead],
  [
    /^Open: (?:Switch|Gateway|Appliance) (\S+) in .+ (?:is dropping|has \d+ % of its fabric|corrects)/,
    isPowered,
  ],
  [
    /^Event: Incident (\d+) is resolved after (.+)\.$/,
    ({ resolvedIncidents }, id, span) => {
      const one = resolvedIncidents.find((each) => each.id === Number(id))
      if (one === undefined) return null
      return span === spanText(secondsBetween(one.started_at_ns, one.resolved_at_ns!))
    },
  ],
  [
    /^Cooling of (.+): .*The other units? takes? the heat away\.$/,
    (publish, zone) => orNull(zoneOf(publish, zone)?.cooling_units.some(({ working }) => working)),
  ],
  [
    /^Cooling of (.+): .*No other unit runs(?:: the zone heats up)?\.$/,
    (publish, zone) => {
      const units = zoneOf(publish, zone)?.cooling_units
      return units === undefined ? null : units.filter(({ working }) => working).length < 2
    },
  ],
  [
    /^Services of (\d+): all Running$/,
    ({ customers }, id) => {
      const customer = customers.find((each) => each.id === Number(id))
      return customer === undefined ? null : customer.health > 0.99
    },
  ],
]

/** The sentences of a publish. A reading with a time of its own claims nothing about this moment. */
function* sentencesOf({ incidents, azs: zones, customers }: Publish): Generator<string> {
  for (const { evidence, symptom_msg_key: key, symptom_msg_args: args } of incidents) {
    yield `Open: ${messageText(key, args)}`
    for (const { label_plain: label, value_plain: value, detail_plain: detail } of evidence)
      if (!detail.includes(' Read at ')) yield `${label}: ${value}. ${detail}`
  }
  for (const zone of zones) yield* coolingSentences(zone)
  for (const { id, services, lifecycle } of customers)
    if (lifecycle === 'Active' && services.every(({ state }) => state === 'Running'))
      yield `Services of ${id}: all Running`
}

const coolingSentences = (zone: ZoneRecord): string[] =>
  zone.cooling_units.map((unit) => `Cooling of ${zone.display_name}: ${lossOfCooling(zone, unit)}`)

/** A reading is taken every two minutes; a symptom stays for two, and the title of its incident for three more. */
const graceMinutes = 6

/** Follows claims over the publishes of a world, a minute apart; returns those that stay false. */
function watchClaims() {
  const falseFor = new Map<string, number>()
  let newest = 0n
  return (sim: Simulation): { checked: Set<RegExp>; violations: string[] } => {
    const { collections, events } = sim.snapshot()
    const sentences = new Set(sentencesOf(collections))
    for (const { at_ns: at, msg_key: key, msg_args: args } of events)
      if (at > newest && at > sim.nowNs - 60_000_000_000n) sentences.add(`Event: ${messageText(key, args)}`)
    newest = sim.nowNs
    const checked = new Set<RegExp>()
    const violations: string[] = []
    for (const sentence of sentences) {
      for (const [claim, isTrue] of claims) {
        const found = claim.exec(sentence)
        if (found === null) continue
        const truth = isTrue(collections, ...found.slice(1))
        if (truth !== null) checked.add(claim)
        const minutes = truth === false ? (falseFor.get(sentence) ?? 0) + 1 : 0
        falseFor.set(sentence, minutes)
        if (truth === false && (minutes > graceMinutes || sentence.startsWith('Event: ')))
          violations.push(sentence)
      }
    }
    for (const known of falseFor.keys()) if (!sentences.has(known)) falseFor.delete(known)
    return { checked, violations }
  }
}

interface ClaimsRun {
  readonly seed: bigint
  readonly publishes: number
}

const actions = Object.entries(faultActions)

/** Lives through a world in which each kind of fault is begun in turn, every ten minutes; returns the claims that stay false. */
export function falseClaims({ seed, publishes }: ClaimsRun): { checked: Set<RegExp>; violations: string[] } {
  const sim = createSimulation({ seed, scale: 'small', scenario: null, warmUp: 0, speed: 60 })
  const random = sim.state.random.stream('test.claims')
  while (sim.state.now < hour) sim.step()
  const look = watchClaims()
  const all = { checked: new Set<RegExp>(), violations: [] as string[] }
  for (let publish = 0; publish < publishes; publish++) {
    if (publish % 10 === 0) begin(sim, publish / 10, random.below(1e9))
    for (const until = sim.state.now + minute; sim.state.now < until; ) sim.step()
    const { checked, violations } = look(sim)
    for (const claim of checked) all.checked.add(claim)
    for (const text of violations) all.violations.push(`seed ${seed}, publish ${publish}: ${text}`)
  }
  return all
}

function begin({ state }: Simulation, turn: number, drawn: number): void {
  const [kind, { targets, magnitude, applies }] = actions[(turn * 7) % actions.length]
  const rowsOf: Readonly<Record<ActionTarget, () => FaultTarget[]>> = {
    Customer: () => state.tenants.active.map(({ id }) => ({ kind: 'Customer', id })),
    Host: () => state.topology.hosts.rows.map((row) => ({ kind: 'Host', row })),
    Switch: () => rows('Switch', state.topology.switches.count),
    Gateway: () => rows('Gateway', state.topology.gateways.count),
    Appliance: () => rows('Appliance', state.topology.appliances.count),
    PowerFeed: () => rows('PowerFeed', state.topology.feeds.count),
    CoolingUnit: () => rows('CoolingUnit', state.topology.coolingUnits.count),
    Cable: () => state.topology.cables.rows.map((row) => ({ kind: 'Cable', row })),
    Port: () => rows('Port', state.topology.ports.count),
  }
  const possible = targets
    .flatMap((target) => rowsOf[target]())
    .filter((target) => target.kind === 'Customer' || (applies?.(state, target) ?? true))
  const target = possible[drawn % possible.length]
  const lasts = (20 + (drawn % 7) * 40) * minute
  const attackClass = kind === 'Attack' ? { attackClass: threatClasses[drawn % threatClasses.length] } : {}
  state.faults.inject({
    kind: kind as CauseKind,
    target,
    magnitude: magnitude?.defaultValue ?? 1,
    lasts,
    ...attackClass,
  })
}

const rows = (kind: Exclude<FaultTarget['kind'], 'Customer'>, count: number): FaultTarget[] =>
  Array.from({ length: count }, (_, row) => ({ kind, row }))
