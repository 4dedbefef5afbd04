/** A cable as its picture describes it, from records. */
import type { CableRecord } from '../../contract/collections.ts'
import { colors } from '../../contract/vocabularies.ts'
import { drawCable } from '../../pictures/sheets/cable.ts'
import { drawSentence } from '../../pictures/sheets/incident.ts'
import type { Theme } from '../../pictures/palette.ts'
import { clockText } from '../../words/moments.ts'
import { capitalized, counted, plain, rounded } from '../../words/phrases.ts'
import { entityWords, knownOr, plainWords } from '../../words/vocabulary.ts'
import { endName, cableEnd, linkCondition } from '../columns/equipment/links.ts'
import type { End } from '../columns/equipment/links.ts'
import { loadPct, portCondition, subjectOfKind } from '../columns/equipment/ports.ts'
import { placeText } from '../columns/places.ts'
import { isChosen } from '../engine/query.ts'
import { idText, ownDeviceKinds } from '../engine/table-world.ts'
import type { TableWorld } from '../engine/table-world.ts'
import { unlessUnknown } from '../engine/table.ts'
import { conditionOrNull, joined, known } from './readings.ts'
import { tableAddress } from './subjects.ts'
import type { PictureRequest } from './subjects.ts'

const stopsMax = 8

/** From one end to the other, with the cable if there is a record of it, and the steps of its way in this order. */
interface Trace {
  readonly cable?: CableRecord
  readonly near: End
  readonly far: End
  readonly path: CableRecord['path']
}

/** From the end at a port, if the cable has one there. */
function alongCable(cable: CableRecord, portId: string | undefined, world: TableWorld): Trace {
  const [a, b] = [cableEnd(cable.a, world), cableEnd(cable.b, world)]
  return portId !== undefined && String(cable.b?.port_id) === portId
    ? { cable, near: b, far: a, path: cable.path.toReversed() }
    : { cable, near: a, far: b, path: cable.path }
}

/** From a chosen port of a device; without a choice from the one in use that is in the worst state. */
function fromDevice({ kind, device }: End, { filters }: PictureRequest, world: TableWorld): Trace | string {
  const { ports } = device!
  const used = ports.filter(({ peer, cable_ids: ids }) => peer !== null || ids.length > 0)
  const worst = used.toSorted((one, other) => portCondition(other).severity - portCondition(one).severity)[0]
  const isGiven = filters.has('port')
  const port = ports.find((one) => isGiven && isChosen(filters, 'port', [one.port_id, one.label])) ?? worst
  if (port === undefined) return `No port of ${world.nameOfDevice(device!)} is in use.`
  const cable = world.records.get('cables', port.cable_ids[0] ?? null)
  if (cable !== undefined) return alongCable(cable, idText(port.port_id), world)
  return port.peer === null
    ? `Nothing is plugged into ${world.nameOfDevice(device!)} ${port.label}.`
    : { near: { kind, device, port }, far: cableEnd(port.peer, world), path: [] }
}

/** The trace that a request wants, or a sentence about why there is none. */
function wantedTrace(request: PictureRequest, world: TableWorld): Trace | string {
  const { filters } = request
  if (!filters.has('device') && !filters.has('host')) {
    const cables = world.records
      .all('cables')
      .filter(
        ({ id, a, b }) =>
          isChosen(filters, 'cable', [id]) && isChosen(filters, 'port', [a?.port_id, b?.port_id]),
      )
    const cable = cables.find(({ is_failed }) => is_failed) ?? cables[0]
    return cable === undefined
      ? 'There is no such cable.'
      : alongCable(cable, filters.get('port')?.[0], world)
  }
  for (const kind of filters.has('device') ? ownDeviceKinds : (['Host'] as const))
    for (const device of world.devices(kind)) {
      const name = world.nameOfDevice(device)
      if (isChosen(filters, 'device', [name]) && isChosen(filters, 'host', [device.id, name]))
        return fromDevice({ kind, device, port: undefined }, request, world)
    }
  return 'There is no such device.'
}

/** Trays and panels between the two ports. */
function wayOf({ cable, path }: Trace, world: TableWorld): readonly string[] {
  const way = path.flatMap((step) => {
    if ('Tray' in step) return [`tray ${typeof step.Tray === 'bigint' ? step.Tray : plain(step.Tray)}`]
    return 'PatchPanel' in step ? [world.entityName('PatchPanel', step.PatchPanel) ?? 'a patch panel'] : []
  })
  if (way.length > stopsMax) way.splice(stopsMax - 1, Infinity, `and ${way.length - stopsMax + 1} more`)
  return way.length === 0 && cable?.is_draped === true ? ['hangs free, in no tray'] : way
}

function describeEnd(end: End, other: End, world: TableWorld, isLinked: boolean) {
  const { kind, device, port } = end
  const state = conditionOrNull(() => portCondition(port!))
  const headline = unlessUnknown(() => endName(end, other, world)) ?? 'unknown'
  const subject = knownOr<'device' | 'host' | null>(subjectOfKind, kind ?? '', null)
  const id = () => (subject === 'host' ? idText(device!.id) : world.nameOfDevice(device!))
  const lines = known(
    () =>
      `${capitalized(state!.state)}; load ${rounded(loadPct(port!)!)} % of ${plain(port!.link_capacity_gbps)} Gbit/s`,
    () => `${counted(port!.error_count, 'frame')} lost, ${counted(port!.link_flaps, 'flap')}`,
    () => (port!.cable_ids.length > 1 ? `One of ${port!.cable_ids.length} cables here` : ''),
  )
  return {
    title: known(
      () => capitalized(kind === null ? 'not plugged in' : entityWords(kind)),
      () => placeText(device!, world),
    ).join(', '),
    headline,
    lines: lines.length === 0 ? ['The game reports no more of this end.'] : lines,
    state,
    summary: isLinked ? `${headline} · ${state?.state ?? 'unknown'}` : '',
    href: isLinked && subject !== null ? unlessUnknown(() => tableAddress(subject, subject, id())) : null,
  }
}

function describe(trace: Trace, world: TableWorld, isLinked: boolean) {
  const { cable, near, far } = trace
  const way = unlessUnknown(() => wayOf(trace, world)) ?? []
  const ends = [describeEnd(near, far, world, isLinked), describeEnd(far, near, world, isLinked)] as const
  const flow = (sent: 'gbps_tx' | 'gbps_rx', back: 'gbps_tx' | 'gbps_rx'): string =>
    unlessUnknown(() => `${rounded(near.port?.[sent] ?? far.port![back])} Gbit/s`) ?? 'unknown'
  return {
    name: ends.map(({ headline }) => headline).join(' – '),
    state: conditionOrNull(() =>
      cable === undefined ? portCondition(near.port!) : linkCondition({ cable, a: near, b: far }),
    ),
    facts:
      joined(
        () => plainWords(cable!.kind),
        () => cable!.color,
        () => `${plain(cable!.length_m)} m`,
        () => (cable!.is_failed ? 'where it is broken is unknown' : ''),
      ) || 'The game reports nothing of the cable.',
    ends,
    way: way.length === 0 ? ['its way is unknown'] : way,
    isWayKnown: way.length > 0,
    color: colors.find((color) => color === cable?.color) ?? null,
    flows: [`${flow('gbps_tx', 'gbps_rx')} →`, `← ${flow('gbps_rx', 'gbps_tx')}`] as const,
    moment: clockText(world.nowNs),
  }
}

/** Draws the cable that a request wants, from end to end. */
export function cablePicture(world: TableWorld, request: PictureRequest, theme: Theme): string {
  const trace = unlessUnknown(() => wantedTrace(request, world)) ?? 'There is no such cable.'
  return typeof trace === 'string'
    ? drawSentence(trace, false, request.size, theme)
    : drawCable(describe(trace, world, request.isLinked), request.size, theme)
}
