import { thresholds } from '../../../../src/contract/thresholds.ts'
import type { ZoneRecord } from '../../../../src/contract/collections.ts'
import type { WorldView } from '../../../../src/world/simulation/state.ts'
import { idOf, rows, where, ofZones } from '../claim.ts'
import type { Claim, Sight } from '../claim.ts'

const hostRows = ({ topology }: WorldView): readonly number[] => topology.hosts.rows

const serves = ({ network }: WorldView, host: number): boolean => network.hostReachable[host] === 1

/** Down without maintenance, or broken during it. */
const isLost = (state: WorldView, host: number): boolean =>
  !serves(state, host) &&
  (state.condition.hostMaintenance[host] === 0 || state.condition.hostBroken[host] > 0)

function servingShare(state: WorldView, zone: number): number {
  const { hosts } = state.topology.zones[zone]
  return hosts.filter((host) => serves(state, host)).length / hosts.length
}

const isThinned = (zone: ZoneRecord, { state }: Sight): boolean =>
  servingShare(state, Number(zone.id) - 1) < thresholds.hostsOnlineShareLow

export const hardwareClaims = () => ({
  DcsimHostDown: {
    key: ['host'],
    look: ({ state }: Sight) => where(hostRows(state), (host) => isLost(state, host), idOf),
  },
  DcsimZoneHostsDown: {
    ...ofZones(isThinned),
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
