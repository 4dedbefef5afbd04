/** Names of zones and racks in sentences. */
import type { ZoneRecord } from '../contract/collections.ts'

export const nameOfZone = ({ display_name, name }: Pick<ZoneRecord, 'name' | 'display_name'>): string =>
  display_name || name

/** Within its zone, the zone's own name before that of a device says nothing. */
export const nameWithin = ({ name: zone }: ZoneRecord, name: string): string =>
  name.startsWith(`${zone}-`) ? name.slice(zone.length + 1) : name

/** `rack B-03`; an upstream's name may have the word already. */
export const rackWords = (name: string): string => (/^rack\b/i.test(name) ? name : `rack ${name}`)
