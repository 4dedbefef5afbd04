import { thresholds } from '../../../../src/contract/thresholds.ts'
import type { ZoneRecord } from '../../../../src/contract/collections.ts'
import type { WorldView } from '../../../../src/world/simulation/state.ts'
import { idOf, keyOf, ofRecords, ofRows, rows, shares, where } from '../claim.ts'
import type { KeyedStrength, Sight } from '../claim.ts'

const bothFeedsLive = ({ topology, facility }: WorldView, zone: number): boolean =>
  topology.zones[zone].feeds.every((feed) => facility.feedLive[feed] === 1)

const isDark = ({ topology, facility }: WorldView, zone: number): boolean =>
  topology.zones[zone].feeds.every((feed) => facility.feedLive[feed] === 0)

const feedKey = ({ topology }: WorldView, feed: number): string =>
  keyOf(topology.feeds.zone[feed] + 1, topology.feeds.side[feed] === 0 ? 'A' : 'B')

/** Whether one feed would have to carry the whole draw of a zone. */
function isWithoutSpare(zone: ZoneRecord, { state }: Sight): boolean {
  const row = Number(zone.id) - 1
  const { feeds } = state.topology.zones[row]
  const draw = feeds.reduce((sum, feed) => sum + state.facility.feedLoadKw[feed], 0)
  return !bothFeedsLive(state, row) || feeds.some((feed) => draw > state.topology.feeds.capacityKw[feed])
}

/** Mean inlet temperature of the racks. */
function inlet({ topology, facility }: WorldView, zone: number): number {
  const { racks } = topology.zones[zone]
  return racks.reduce((sum, rack) => sum + facility.rackInletCelsius[rack], 0) / racks.length
}

const { inletWarmCelsius: warm, inletHotCelsius: hot, coolingLoadHigh } = thresholds

function* strained({ state }: Sight): Iterable<KeyedStrength> {
  const { zoneHeatKw, zoneCoolingCapacityKw } = state.facility
  for (const zone of rows(state.topology.zones.length)) {
    const air = inlet(state, zone)
    const load = zoneHeatKw[zone] / Math.max(1e-9, zoneCoolingCapacityKw[zone])
    yield [idOf(zone), air > warm && air <= hot ? 2 : load / coolingLoadHigh]
  }
}

const overheats = (zone: ZoneRecord, { state }: Sight): boolean =>
  (['Overheating', 'Failed'].includes(zone.cooling_state) && !isDark(state, Number(zone.id) - 1)) ||
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
        // One whose batteries are empty has no voltage, too.
        (feed) => state.facility.feedLive[feed] === 0,
        (feed) => feedKey(state, feed),
      ),
  },
  DcsimZonePowerNotRedundant: ofRecords('az', 'azs', isWithoutSpare),
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
  DcsimRackHot: ofRows(
    'rack',
    ({ topology }) => rows(topology.racks.count),
    (rack, { state }) =>
      state.facility.rackInletCelsius[rack] > hot && inlet(state, state.topology.racks.zone[rack]) <= hot,
  ),
  DcsimCoolingUnitDown: {
    key: ['az', 'unit'],
    look: ({ state, snapshot }: Sight) =>
      where(
        snapshot.collections.azs.flatMap(({ id, cooling_units: units }) =>
          units.map((unit) => ({ zone: id, unit })),
        ),
        ({ zone, unit }) => !unit.working && !isDark(state, Number(zone) - 1),
        ({ zone, unit }) => keyOf(zone, unit.id),
      ),
  },
  DcsimZoneCoolingStrained: { key: ['az'], look: strained, amount: inletAir },
  DcsimZoneOverheats: { ...ofRecords('az', 'azs', overheats), amount: inletAir },
})
