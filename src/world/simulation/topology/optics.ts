import { cableKinds } from '../../../contract/vocabularies.ts'
import type { Topology } from './tables.ts'

/**
 * Whether a cable is fiber, so that the ports at its ends hold transceivers. The ends of a direct attach or copper cable
 * are part of it. A breakout assembly is copper inside a rack and fiber otherwise.
 */
export function isOptical({ cables }: Topology, cable: number): boolean {
  const kind = cableKinds[cables.kind[cable]]
  if (kind === 'Breakout') return cables.draped[cable] === 0
  return kind === 'Fiber' || kind === 'WanFiber'
}

/** Whether a port holds a transceiver. */
export const hasTransceiver = (topology: Topology, port: number): boolean =>
  topology.ports.cable[port] >= 0 && isOptical(topology, topology.ports.cable[port])
