import { thresholds } from '../../../../alerts/thresholds.ts'
import type { ZoneRecord } from '../../../../src/contract/collections.ts'
import type { WorldView } from '../../../../src/world/simulation/state.ts'
import { idOf, keyOf, rows, shares, where } from '../claim.ts'
import type { Claim, Holding, Sight } from '../claim.ts'

const hostRows = ({ topology }: WorldView): readonly number[] => topology.hosts.rows

const serves = ({ network }: WorldView, host: number): boolean => network.hostReachable[host] === 1

/** Down without maintenance, or broken during it. */
const isLost = (state: WorldView, host: number): boolean =>
  !serves(state, host) &&
  (state.condition.hostMaintenance[host] === 0 || state.condition.hostBroken[host] > 0)

const zones = (holds: (zone: ZoneRecord, sight: Sight) => boolean): Claim => ({
  key: ['az'],
  look: (sight) =>
    where(
      sight.snapshot.collections.azs,
      (zone) => holds(zone, sight),
      ({ id }) => String(id),
    ),
})

function servingShare(state: WorldView, zone: number): number {
  const { hosts } = state.topology.zones[zone]
  return hosts.filter((host) => serves(state, host)).length / hosts.length
}

const isThinned = (zone: ZoneRecord, { state }: Sight): boolean =>
  servingShare(state, Number(zone.id) - 1) < thresholds.hostsOnlineShareLow

const bothFeedsLive = ({ topology, facility }: WorldView, zone: number): boolean =>
  topology.zones[zone].feeds.every((feed) => facility.feedLive[feed] === 1)

export const hardwareClaims = () => ({
  DcsimHostDown: {
    key: ['host'],
    look: ({ state }: Sight) => where(hostRows(state), (host) => isLost(state, host), idOf),
  },
  DcsimZoneHostsDown: {
    ...zones(isThinned),
    amount: {
      unit: 'percent' as const,
      of: ({ state }: Sight) =>
        rows(state.topology.zones.length).map((zone) => [idOf(zone), servingShare(state, zone)] as const),
    },
  } satisfies Claim,
  DcsimHostOnOneFeed: {
    key: ['host'],
    look: ({ state, snapshot }: Sight) =>
      where(
        hostRows(state),
        (host) =>
          state.facility.hostFeeds[host] === 1 &&
          snapshot.collections.azs[state.topology.hosts.zone[host]].power_redundant,
        idOf,
      ),
  },
  DcsimSwitchDown: {
    key: ['switch'],
    look: ({ state }: Sight) =>
      where(
        rows(state.topology.switches.count),
        (row) => state.facility.switchFeeds[row] === 0 || state.condition.switchBroken[row] > 0,
        idOf,
      ),
  },
  DcsimGatewayDown: {
    key: ['gateway'],
    look: ({ state }: Sight) =>
      where(
        rows(state.topology.gateways.count),
        (row) => state.facility.gatewayFeeds[row] === 0 || state.condition.gatewayBroken[row] > 0,
        idOf,
      ),
  },
  DcsimApplianceDown: {
    key: ['appliance'],
    look: ({ state }: Sight) =>
      where(
        rows(state.topology.appliances.count),
        (row) => state.facility.applianceFeeds[row] === 0 || state.condition.applianceBroken[row] > 0,
        idOf,
      ),
  },
  DcsimDiskWearHigh: {
    key: ['host'],
    look: ({ snapshot }: Sight) =>
      where(
        snapshot.collections.hosts,
        ({ wear_factor: wear }) => wear > thresholds.diskWearHigh,
        ({ id }) => String(id),
      ),
  },
  DcsimSwitchWornOut: {
    key: ['switch'],
    look: ({ snapshot }: Sight) =>
      where(
        snapshot.collections.switches,
        ({ condition_pct: condition }) => condition < 100 * thresholds.conditionPoor,
        ({ id }) => String(id),
      ),
  },
})

const feedKey = ({ topology }: WorldView, feed: number): string =>
  keyOf(topology.feeds.zone[feed] + 1, topology.feeds.side[feed] === 0 ? 'A' : 'B')

/** Whether all that a zone draws would go over one feed. */
function isWithoutSpare(zone: ZoneRecord, { state }: Sight): boolean {
  const row = Number(zone.id) - 1
  const { feeds } = state.topology.zones[row]
  const draw = feeds.reduce((sum, feed) => sum + state.facility.feedLoadKw[feed], 0)
  return !bothFeedsLive(state, row) || feeds.some((feed) => draw > state.topology.feeds.capacityKw[feed])
}

/** Mean air at the racks, as they take it in. */
function inlet({ topology, facility }: WorldView, zone: number): number {
  const { racks } = topology.zones[zone]
  return racks.reduce((sum, rack) => sum + facility.rackInletCelsius[rack], 0) / racks.length
}

const { inletWarmCelsius: warm, inletHotCelsius: hot, coolingLoadHigh } = thresholds

function* strained({ state }: Sight): Iterable<Holding> {
  const { zoneHeatKw, zoneCoolingCapacityKw } = state.facility
  for (const zone of rows(state.topology.zones.length)) {
    const air = inlet(state, zone)
    const load = zoneHeatKw[zone] / Math.max(1e-9, zoneCoolingCapacityKw[zone])
    yield [idOf(zone), air > warm && air <= hot ? 2 : load / coolingLoadHigh]
  }
}

const overheats = (zone: ZoneRecord, { state }: Sight): boolean =>
  zone.cooling_state === 'Overheating' ||
  zone.cooling_state === 'Failed' ||
  inlet(state, Number(zone.id) - 1) > hot

const inletAir = {
  unit: 'celsius' as const,
  of: ({ state }: Sight) =>
    rows(state.topology.zones.length).map((zone) => [idOf(zone), inlet(state, zone)] as const),
} as const

export const powerClaims = () => ({
  DcsimPowerFeedDown: {
    key: ['az', 'feed'],
    look: ({ state }: Sight) =>
      where(
        rows(state.topology.feeds.count),
        (feed) => state.condition.feedBroken[feed] > 0,
        (feed) => feedKey(state, feed),
      ),
  },
  DcsimZonePowerNotRedundant: zones(isWithoutSpare),
  DcsimPowerFeedNearlyFull: {
    key: ['az', 'feed'],
    look: ({ state }: Sight) =>
      shares(
        rows(state.topology.feeds.count),
        (feed) => state.facility.feedLoadKw[feed] / state.topology.feeds.capacityKw[feed],
        thresholds.feedLoadHigh,
        (feed) => feedKey(state, feed),
      ),
    amount: { unit: 'percent' as const, scale: thresholds.feedLoadHigh } as const,
  },
  DcsimRackPowerNearlyFull: {
    key: ['rack'],
    look: ({ state }: Sight) =>
      shares(
        rows(state.topology.racks.count),
        (rack) => state.facility.rackWatts[rack] / 1000 / state.topology.racks.capacityKw[rack],
        thresholds.rackPowerHigh,
        idOf,
      ),
    amount: { unit: 'percent' as const, scale: thresholds.rackPowerHigh } as const,
  },
  DcsimRackOnOneFeed: {
    key: ['rack'],
    look: ({ state, snapshot }: Sight) =>
      where(
        snapshot.collections.azs.flatMap(({ id, racks }) =>
          racks.map((rack) => ({ zone: Number(id) - 1, rack })),
        ),
        ({ zone, rack }) => rack.power_feeds === 1 && bothFeedsLive(state, zone),
        ({ rack }) => String(rack.id),
      ),
  },
  DcsimRackHot: {
    key: ['rack'],
    look: ({ state }: Sight) =>
      where(
        rows(state.topology.racks.count),
        (rack) =>
          state.facility.rackInletCelsius[rack] > hot && inlet(state, state.topology.racks.zone[rack]) <= hot,
        idOf,
      ),
  },
  DcsimCoolingUnitDown: {
    key: ['az', 'unit'],
    look: ({ snapshot }: Sight) =>
      where(
        snapshot.collections.azs.flatMap(({ id, cooling_units: units }) =>
          units.map((unit) => ({ zone: id, unit })),
        ),
        ({ unit }) => !unit.working,
        ({ zone, unit }) => keyOf(zone, unit.id),
      ),
  },
  DcsimZoneCoolingStrained: { key: ['az'], look: strained, amount: inletAir },
  DcsimZoneOverheats: { ...zones(overheats), amount: inletAir },
})
