import type { Collections } from '../../src/contract/collections.ts'
import { type Check, portsById } from './world-view.ts'

/** What records of incidents and work orders say agrees with itself and with what it is about. */
export const incidentRecordViolations: Check = ({ snapshot: { collections } }) => [
  ...linkPartOffences(collections),
]

/** Transceivers sit in ports with fiber; the ends of other cables are part of them. */
function linkPartOffences(collections: Collections): string[] {
  const { incidents, resolvedIncidents, cables } = collections
  const ports = portsById(collections)
  const mediaOf = (id: number): string | undefined => ports.get(id)?.port.media
  const cableEnds = new Map(cables.map(({ id, a }) => [Number(id), Number(a?.port_id ?? -1)]))
  return [...incidents, ...resolvedIncidents].flatMap(({ id, causes }) =>
    causes.flatMap(({ root_kind, entity_id }) => {
      const port = root_kind === 'CableFault' ? cableEnds.get(Number(entity_id)) : Number(entity_id)
      const media = mediaOf(port ?? -1)
      if (root_kind === 'TransceiverFailure' && media !== 'Fiber')
        return [`incident ${id} suspects a transceiver in port ${entity_id}, which has ${media}`]
      return root_kind === 'CableFault' && (media === 'Fiber' || media === undefined)
        ? [`incident ${id} suspects a bad cable ${entity_id} of ${media}`]
        : []
    }),
  )
}
