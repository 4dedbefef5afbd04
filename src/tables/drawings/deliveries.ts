/** Deliveries to each zone: orders that are not in service yet, from events. */
import { nsPerDay } from '../../contract/time-units.ts'
import { ArchiveUnavailable } from '../../contract/archive.ts'
import type { ArchiveQuery } from '../../contract/archive.ts'
import type { EventRecord, ZoneRecord } from '../../contract/collections.ts'
import { momentOrder, relativeTime } from '../../words/moments.ts'
import { zonesNamedIn } from '../../words/foreign-messages.ts'
import { placeOfEvent } from '../columns/operations/events.ts'
import { everything } from '../engine/archive-range.ts'
import { zoneOf } from '../columns/places.ts'
import { addTo } from '../engine/table-world.ts'
import type { TableWorld } from '../engine/table-world.ts'
import { unlessUnknown } from '../engine/table.ts'

/** A delivery takes days, events stay in a frame for hours: words that all events about deliveries have, and no others. */
const inArchive: ArchiveQuery = {
  ...everything,
  kind: 'event',
  incidents: null,
  text: 'capacity days',
  limit: 200,
}

/** The events about deliveries that the archive keeps; none without one, or if it cannot be read. */
function archivedEvents({ archive }: TableWorld): readonly EventRecord[] {
  try {
    return archive?.read(inArchive)?.found.map(({ record }) => record as EventRecord) ?? []
  } catch (error) {
    if (error instanceof ArchiveUnavailable) return []
    throw error
  }
}

interface Delivery {
  readonly what: string
  readonly zoneId: string | null
  readonly dueNs: bigint
  isHere: boolean
}

/** An order that should long be in service was called off, or its end was missed. */
const lateMaxDays = 14n

const argumentOf = ({ msg_args }: EventRecord, name: string) => msg_args.find(({ key }) => key === name)

function deliveryOf(event: EventRecord, what: string, world: TableWorld): Delivery | null {
  const days = argumentOf(event, 'days')?.number
  if (days === undefined || !(days >= 0 && days < 10_000)) return null
  const isHere = event.kind === 'CapacityDelivered'
  const zone =
    zoneOf(placeOfEvent(event, world), world) ?? zonesNamedIn(event.msg_args, world.zones)[0] ?? undefined
  const dueNs = BigInt(event.at_ns) + (isHere ? 0n : BigInt(Math.round(days)) * nsPerDay)
  return { what, zoneId: zone === undefined ? null : String(zone.id), dueNs, isHere }
}

/** Follows an event: an order, its delivery, or its being in service. */
function follow(open: Map<string, Delivery[]>, event: EventRecord, world: TableWorld): void {
  const what = argumentOf(event, 'what')?.text
  if (what === undefined) return
  const known = open.get(what) ?? []
  if (event.kind === 'CapacityAdded') {
    known.splice(
      Math.max(
        0,
        known.findIndex(({ isHere }) => isHere),
      ),
      1,
    )
    return
  }
  const onItsWay = known.find(({ isHere }) => !isHere)
  if (event.kind === 'CapacityDelivered' && onItsWay !== undefined) {
    onItsWay.isHere = true
    return
  }
  const delivery = deliveryOf(event, what, world)
  if (delivery !== null) addTo(open, what, delivery)
}

const isAboutDelivery = ({ kind, msg_key }: EventRecord): boolean =>
  kind === 'CapacityDelivered' || kind === 'CapacityAdded' || msg_key === 'event.capacity-ordered'

/** Deliveries by the id of their zone, those that arrive first at the beginning. */
export function deliveriesByZone(world: TableWorld): ReadonlyMap<string, readonly Delivery[]> {
  const events = new Map<string, EventRecord>()
  for (const event of [...world.derived(archivedEvents), ...world.records.events])
    if (isAboutDelivery(event))
      events.set(`${event.at_ns} ${event.kind} ${argumentOf(event, 'what')?.text}`, event)
  const open = new Map<string, Delivery[]>()
  for (const event of [...events.values()].toSorted((one, other) => momentOrder(one.at_ns, other.at_ns)))
    unlessUnknown(() => follow(open, event, world))
  const byZone = new Map<string, Delivery[]>()
  for (const delivery of [...open.values()].flat())
    if (delivery.zoneId !== null && delivery.dueNs + lateMaxDays * nsPerDay > world.nowNs)
      addTo(byZone, delivery.zoneId, delivery)
  for (const some of byZone.values()) some.sort((one, other) => momentOrder(one.dueNs, other.dueNs))
  return byZone
}

const timeOf = ({ isHere, dueNs }: Delivery, nowNs: bigint): string => {
  if (isHere) return 'being installed'
  return dueNs <= nowNs ? 'due now' : relativeTime(dueNs, nowNs)
}

/** In the room of a zone its name says nothing. */
const withoutZone = (what: string, { name, display_name }: ZoneRecord): string =>
  ['in', 'for', 'of'].reduce(
    (text, word) => text.replace(` ${word} ${name}`, '').replace(` ${word} ${display_name}`, ''),
    what,
  )

/** `in 2 d: 3 × Ridge 2 for Web`, or `3 deliveries, the next in 2 d`; each of them in the summary. */
export function deliveriesText(deliveries: readonly Delivery[], zone: ZoneRecord, nowNs: bigint) {
  const textOf = (one: Delivery): string => `${timeOf(one, nowNs)}: ${withoutZone(one.what, zone)}`
  const [next, ...more] = deliveries.filter(({ isHere }) => !isHere)
  const here = deliveries.filter(({ isHere }) => isHere).length
  const texts = next === undefined ? [] : [textOf(next)]
  if (more.length > 0) texts[0] = `${more.length + 1} deliveries, the next ${timeOf(next, nowNs)}`
  if (here > 0) texts.push(`${here} being installed`)
  return { text: texts.join(' · '), summary: deliveries.map(textOf).join(' · ') }
}
