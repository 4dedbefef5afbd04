import { thresholds } from '../../../../src/contract/thresholds.ts'
import type { ZoneRecord } from '../../../../src/contract/collections.ts'
import type { WorldView } from '../../../../src/world/simulation/state.ts'
import { idOf, ofRecords, ofRows, rows } from '../claim.ts'
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
  DcsimHostDown: ofRows('host', hostRows, (host, { state }) => isLost(state, host)),
  DcsimZoneHostsDown: {
    ...ofRecords('az', 'azs', isThinned),
    amount: {
      unit: 'percent' as const,
      of: ({ state }: Sight) =>
        rows(state.topology.zones.length).map((zone) => [idOf(zone), servingShare(state, zone)] as const),
    },
  } satisfies Claim,
  DcsimHostOnOneFeed: ofRows(
    'host',
    hostRows,
    (host, { state, snapshot }) =>
      state.facility.hostFeeds[host] === 1 &&
      snapshot.collections.azs[state.topology.hosts.zone[host]].power_redundant,
  ),
  DcsimSwitchDown: ofRows(
    'switch',
    ({ topology }) => rows(topology.switches.count),
    (row, { state }) => state.facility.switchFeeds[row] === 0 || state.condition.switchBroken[row] > 0,
  ),
  DcsimGatewayDown: ofRows(
    'gateway',
    ({ topology }) => rows(topology.gateways.count),
    (row, { state }) => state.facility.gatewayFeeds[row] === 0 || state.condition.gatewayBroken[row] > 0,
  ),
  DcsimApplianceDown: ofRows(
    'appliance',
    ({ topology }) => rows(topology.appliances.count),
    (row, { state }) => state.facility.applianceFeeds[row] === 0 || state.condition.applianceBroken[row] > 0,
  ),
  DcsimDiskWearHigh: ofRecords('host', 'hosts', ({ wear_factor: wear }) => wear > thresholds.diskWearHigh),
  DcsimSwitchWornOut: ofRecords(
    'switch',
    'switches',
    ({ condition_pct: condition }) => condition < 100 * thresholds.conditionPoor,
  ),
})
