/** Power and cooling as their picture describes them, from records. */
import type { ZoneRecord } from '../../contract/collections.ts'
import { isFalse } from '../../contract/records/unknown.ts'
import type { Theme } from '../../pictures/palette.ts'
import { drawPower } from '../../pictures/sheets/power.ts'
import type { SuppliedZone } from '../../pictures/sheets/power.ts'
import { clockText } from '../../words/moments.ts'
import { capitalized, counted, plain, rounded, whole } from '../../words/phrases.ts'
import { nameOfZone, rackWords } from '../../words/places.ts'
import { rackCondition } from '../columns/equipment/racks.ts'
import { lossOfCooling, lossOfFeed, zoneCondition } from '../columns/equipment/zones.ts'
import type { TableWorld } from '../engine/table-world.ts'
import { unlessUnknown } from '../engine/table.ts'
import { coolingOf } from './floor.ts'
import { conditionOrNull, joined, percentShare, ratio } from './readings.ts'
import { tableAddress, chosenZones } from './subjects.ts'
import type { PictureRequest } from './subjects.ts'

const zonesMax = 16
const racksMax = 240

const order = new Intl.Collator('en', { numeric: true })

const withoutCooling = ({ cooling_units: units, cooling_load_kw: heat }: ZoneRecord): string => {
  const isStopped = units.length > 0 && units.every(({ working }) => isFalse(working))
  return isStopped ? `No cooling unit works${heat > 0 ? ': the zone heats up' : ''}.` : ''
}

function zoneOf(zone: ZoneRecord, isLinked: boolean): SuppliedZone {
  const racks = zone.racks.toSorted((one, other) => order.compare(one.name, other.name)).slice(0, racksMax)
  // The largest unit is missed most.
  const largest = zone.cooling_units
    .toSorted((one, other) => other.capacity_kw - one.capacity_kw)
    .find(({ working }) => !isFalse(working))
  return {
    name: nameOfZone(zone),
    state: conditionOrNull(() => zoneCondition(zone)),
    feeds: zone.power_feeds.slice(0, 2).map((feed) => ({
      name: feed.feed,
      isLive: !isFalse(feed.powered),
      share: percentShare(feed.load_pct),
      text: joined(() => `${rounded(feed.load_kw)} of ${plain(feed.capacity_kw)} kW`),
      ifItFails:
        unlessUnknown(() =>
          isFalse(feed.powered) ? 'It has failed.' : `If it fails: ${lossOfFeed(zone, feed)}`,
        ) ?? '',
    })),
    racks: racks.map((rack) => ({
      name: rack.name,
      state: conditionOrNull(() => rackCondition({ rack, zone })),
      share: ratio(rack.power_draw_kw, rack.power_capacity_kw),
      liveFeeds: rack.power_feeds,
      summary: isLinked
        ? joined(
            () => capitalized(rackWords(rack.name)),
            () => `${rounded(rack.power_draw_kw)} of ${plain(rack.power_capacity_kw)} kW`,
          )
        : '',
      href: isLinked && rack.id !== null ? tableAddress('rack', 'rack', String(rack.id)) : null,
    })),
    cooling: coolingOf(zone),
    coolingLoss:
      largest === undefined
        ? withoutCooling(zone)
        : (unlessUnknown(() => `If one fails: ${lossOfCooling(zone, largest)}`) ?? ''),
    facts: joined(
      () => (zone.racks.length > racksMax ? `${racksMax} of ${counted(zone.racks.length, 'rack')}` : ''),
      () => `${whole(zone.power_draw_kw)} of ${whole(zone.power_capacity_kw)} kW`,
      () => `heat ${whole(zone.cooling_load_kw)} of ${whole(zone.cooling_capacity_kw)} kW`,
      () => `inlet ${whole(zone.inlet_celsius)} °C`,
    ),
  }
}

/** Draws the power and cooling of the zones that a request wants. */
export function powerPicture(world: TableWorld, request: PictureRequest, theme: Theme): string {
  const zones = chosenZones(request, world)
    .slice(0, zonesMax)
    .map((record) => zoneOf(record, request.isLinked))
  return drawPower(zones, clockText(world.nowNs), request.size, theme)
}
