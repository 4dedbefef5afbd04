/** The network as its picture describes it, from records. */
import { displayThresholds, thresholds } from '../../contract/thresholds.ts'
import { isFalse } from '../../contract/records/unknown.ts'
import type { HostRecord, PortRecord, ThreatRecord, ZoneRecord } from '../../contract/collections.ts'
import type {
  NetworkHost,
  NetworkLink,
  NetworkNode,
  NetworkZone,
} from '../../pictures/network/description.ts'
import { drawNetwork } from '../../pictures/network/network.ts'
import type { Theme } from '../../pictures/palette.ts'
import { clockText } from '../../words/moments.ts'
import { applianceWords } from '../../words/vocabulary.ts'
import { counted, wholePercent } from '../../words/phrases.ts'
import { nameOfZone, nameWithin } from '../../words/places.ts'
import { sumOf } from '../engine/columns.ts'
import type { RowState } from '../engine/columns.ts'
import { describedDevices } from '../columns/equipment/device.ts'
import { cpuUsedPct, hostCondition } from '../columns/equipment/hosts.ts'
import { linksSeverity, portCondition } from '../columns/equipment/ports.ts'
import { zoneCondition } from '../columns/equipment/zones.ts'
import { addTo, idText } from '../engine/table-world.ts'
import type { TableWorld } from '../engine/table-world.ts'
import { unlessUnknown } from '../engine/table.ts'
import { memberKey, networkMembers, networkTiers } from './network-members.ts'
import type { Member } from './network-members.ts'
import { conditionOrNull, downText, joined, percentShare, stateText, withoutFeed } from './readings.ts'
import { tableAddress, chosenZones } from './subjects.ts'
import type { PictureRequest } from './subjects.ts'

/** In a picture of one zone, its hosts are shown if no more than these. */
const hostsMax = 320
const titlesMax = 400

/** Hostile traffic that passes a device, defense or not, or uses much of a defense. */
const isAttack = ({ reaching, mitigated, residual, capacity, defense_capable }: ThreatRecord): boolean =>
  reaching > 0 &&
  (residual > thresholds.threatResidualHigh * reaching ||
    (defense_capable && mitigated >= displayThresholds.attackLoad * capacity))

/** The worst attack that each device has to do with. */
function threatsByKey(world: TableWorld): ReadonlyMap<string, ThreatRecord> {
  const byKey = new Map<string, ThreatRecord>()
  for (const { kind, device } of world.derived(describedDevices)) {
    if (!('threats' in device)) continue
    const [worst] = device.threats
      .filter(isAttack)
      .toSorted((one, other) => other.residual / other.reaching - one.residual / one.reaching)
    if (worst !== undefined) byKey.set(`${kind} ${device.id}`, worst)
  }
  return byKey
}

function addressOf({ key, name, subject, rackId, zone }: Member): string | null {
  if (subject === 'device') return tableAddress('device', 'device', name)
  if (rackId !== null) return tableAddress('rack', 'rack', rackId)
  return key.startsWith('Upstream') && zone.id !== null
    ? tableAddress('zones', 'zone', String(zone.id))
    : null
}

/** Inline appliances and those that some traffic is sent to share a tier. */
const shownTier = ({ tier, key, typeName }: Member): Member['tier'] =>
  tier === 'core' && key.startsWith('Appliance') && typeName !== applianceWords('LoadBalancer')
    ? 'inspection'
    : tier

/** A zone on one feed says so itself. */
const ownState = (state: RowState | null, { power_feeds }: ZoneRecord): RowState | null =>
  power_feeds.some(({ powered }) => isFalse(powered)) ? withoutFeed(state) : state

function nodeOf(member: Member, world: TableWorld, isLinked: boolean): NetworkNode {
  const { key, name, typeName, zone, row, condition, loadPct, detail } = member
  const threat = world.derived(threatsByKey).get(key)
  const summary = joined(
    () => name,
    () => typeName,
    () => stateText(condition),
    () => detail,
    () => (loadPct === null ? '' : wholePercent(loadPct)),
    () =>
      threat === undefined
        ? ''
        : `${threat.label}: ${wholePercent((100 * threat.mitigated) / threat.reaching)} stopped`,
  )
  return {
    key,
    name: nameWithin(zone, name),
    kind: typeName,
    tier: networkTiers.indexOf(shownTier(member)),
    row,
    state: ownState(condition.state === '' ? null : condition, zone),
    share: percentShare(loadPct),
    summary: isLinked ? summary : '',
    href: isLinked ? addressOf(member) : null,
    defense:
      threat === undefined
        ? null
        : { stopped: threat.mitigated / threat.reaching, passed: threat.residual / threat.reaching },
    hosts: [],
  }
}

function hostOf(host: HostRecord, zone: ZoneRecord, isLinked: boolean): NetworkHost {
  const state = ownState(
    conditionOrNull(() => hostCondition(host)),
    zone,
  )
  const load = unlessUnknown(() => cpuUsedPct(host))
  const { display_name_plain: name, ports } = host
  return {
    name: nameWithin(zone, name),
    state,
    share: percentShare(load),
    summary: isLinked
      ? joined(
          () => name,
          () => state?.state ?? 'unknown',
          () => (load === null ? '' : wholePercent(load)),
        )
      : '',
    href: isLinked ? tableAddress('host', 'host', idText(host.id)) : null,
    links: ports.filter(({ peer }) => peer !== null).map((port) => portCondition(port).severity),
  }
}

/** The hosts of each rack, from the top down. */
function hostsByRack(world: TableWorld): ReadonlyMap<string, readonly HostRecord[]> {
  const byRack = new Map<string, HostRecord[]>()
  for (const host of world.records.all('hosts')) addTo(byRack, String(host.rack_id), host)
  for (const hosts of byRack.values()) hosts.sort((one, other) => (other.start_u ?? 0) - (one.start_u ?? 0))
  return byRack
}

/** The ports of all cables between two members, and which of the two they belong to. */
interface Bundle {
  readonly from: Member
  readonly to: Member
  readonly isOfUpper: boolean
  readonly ports: PortRecord[]
}

/** Each cable is counted at its end farther from upstream; that to a host at its switch. */
function linksBetween(world: TableWorld): readonly Bundle[] {
  const members = world.derived(networkMembers)
  const byKey = new Map(members.map((member, index) => [member.key, { member, index }]))
  const bundles = new Map<string, Bundle>()
  const add = (from: Member, to: Member, isOfUpper: boolean, port: PortRecord): void => {
    const key = `${from.key} – ${to.key}`
    const known = bundles.get(key)
    if (known === undefined) bundles.set(key, { from, to, isOfUpper, ports: [port] })
    else known.ports.push(port)
  }
  for (const [index, member] of members.entries()) {
    const rack =
      member.rackId === null ? undefined : byKey.get(memberKey('Rack', member.rackId, member.zone))?.member
    for (const port of member.ports) {
      if (port.peer === null) continue
      const { device_kind: kind, device_id: id } = port.peer
      if (kind === 'Host' && rack !== undefined) add(member, rack, true, port)
      const peer = byKey.get(memberKey(kind, id, member.zone))
      if (peer === undefined) continue
      const order =
        networkTiers.indexOf(shownTier(peer.member)) - networkTiers.indexOf(shownTier(member)) ||
        peer.index - index
      if (order < 0) add(peer.member, member, false, port)
    }
  }
  return [...bundles.values()]
}

/** Whether hostile traffic passes between two members: it arrives at a defense, or was let through by one. */
function isHostileBetween({ from, to }: Bundle, threats: ReadonlyMap<string, ThreatRecord>): boolean {
  const [sent, received] = [threats.get(from.key), threats.get(to.key)]
  if (received !== undefined) return sent === undefined ? from.tier === 'upstream' : sent.residual > 0
  return sent !== undefined && sent.residual > 0 && to.tier === 'core' && from.tier !== 'core'
}

/** The gateways that could announce routes, and do not. */
const silentGateways = (world: TableWorld): ReadonlySet<string> =>
  new Set(
    world
      .derived(describedDevices)
      .filter(
        ({ kind, device }) => kind === 'Gateway' && device.bgp_capable && isFalse(device.bgp_advertising),
      )
      .map(({ kind, device }) => `${kind} ${device.id}`),
  )

function linkOf(
  bundle: Bundle,
  threats: ReadonlyMap<string, ThreatRecord>,
  silent: ReadonlySet<string>,
): NetworkLink {
  const { from, to, ports, isOfUpper } = bundle
  const sent = sumOf(ports, ({ gbps_tx }) => gbps_tx)
  const received = sumOf(ports, ({ gbps_rx }) => gbps_rx)
  return {
    from: from.key,
    to: to.key,
    cables: ports.length,
    capacityGbps: sumOf(ports, ({ link_capacity_gbps }) => link_capacity_gbps),
    inGbps: isOfUpper ? sent : received,
    outGbps: isOfUpper ? received : sent,
    severity: linksSeverity(ports),
    down: ports.filter(({ link }) => link === 'Down').length,
    isHostile: isHostileBetween(bundle, threats),
    isWithdrawn: from.tier === 'upstream' && silent.has(to.key),
  }
}

/**
 * Feeds without voltage, then the own devices of the zone that are down, by their state; failing these, carriers
 * without a line, or how many devices are in trouble.
 */
function troubleOf(nodes: readonly NetworkNode[], zone: ZoneRecord): string {
  const devices = nodes.filter(({ tier }) => tier < networkTiers.indexOf('rack'))
  const isCarrier = ({ tier }: NetworkNode): boolean => tier === networkTiers.indexOf('upstream')
  const own = downText(devices.filter((node) => !isCarrier(node)))
  const troubled = devices.filter(({ state }) => (state?.severity ?? 0) >= 2).length
  const power = zone.power_feeds
    .filter(({ powered }) => isFalse(powered))
    .map(({ feed }) => `power feed ${feed} has no voltage`)
  const others = troubled > 0 ? `${troubled} in trouble` : ''
  return [...power, own || downText(devices.filter(isCarrier)) || others].filter(Boolean).join(', ')
}

function zoneOf(
  zone: ZoneRecord,
  members: readonly Member[],
  world: TableWorld,
  request: PictureRequest,
  isAlone: boolean,
): NetworkZone {
  const nodes = members.map((member) => {
    const hosts =
      isAlone && member.tier === 'rack' && zone.host_count <= hostsMax
        ? (world.derived(hostsByRack).get(String(member.rackId)) ?? [])
        : []
    return {
      ...nodeOf(member, world, request.isLinked),
      hosts: hosts.map((host) => hostOf(host, zone, request.isLinked)),
    }
  })
  const state = conditionOrNull(() => zoneCondition(zone))
  const trouble = unlessUnknown(() => troubleOf(nodes, zone)) ?? ''
  return {
    name: nameOfZone(zone),
    summary: request.isLinked
      ? joined(
          () => nameOfZone(zone),
          () => state?.state ?? 'unknown',
          () => trouble,
        )
      : '',
    href: request.isLinked && zone.id !== null ? tableAddress('zones', 'zone', String(zone.id)) : null,
    state,
    trouble,
    nodes,
  }
}

const zonesMax = 12

/** Draws the network of the zones that a request wants. */
export function networkPicture(world: TableWorld, request: PictureRequest, theme: Theme): string {
  const wanted = chosenZones(request, world)
  // Beyond, no node would have room for its name: those in trouble come first.
  const records =
    wanted.length <= zonesMax
      ? wanted
      : wanted
          .toSorted((one, other) => zoneCondition(other).severity - zoneCondition(one).severity)
          .slice(0, zonesMax)
  const threats = world.derived(threatsByKey)
  const byZone = Map.groupBy(world.derived(networkMembers), ({ zone }) => zone)
  const isAlone = records.length === 1 && request.emphasized === undefined
  const zones = records.map((record) => zoneOf(record, byZone.get(record) ?? [], world, request, isAlone))
  const silent = world.derived(silentGateways)
  const links = world
    .derived(linksBetween)
    .map((bundle) => unlessUnknown(() => linkOf(bundle, threats, silent)))
    .filter((link) => link !== null)
  const left = wanted.length - records.length
  const sentences = zones
    .filter(({ trouble }) => trouble !== '')
    .map(({ name, trouble }) => `${name}: ${trouble}`)
  return drawNetwork(zones, links, {
    size: request.size,
    theme,
    title: zones.length === 1 ? `Network of ${zones[0].name}` : `Network: ${counted(wanted.length, 'zone')}`,
    description: [...sentences, left === 0 ? '' : `${counted(left, 'zone')} more`].filter(Boolean).join('. '),
    hasTitles: request.isLinked && links.length <= titlesMax,
    moment: clockText(world.nowNs),
  })
}
