import { cableKinds } from '../../../contract/vocabularies.ts'
import type { Topology } from './tables.ts'

/**
 * Whether a cable is fiber with transceivers in the ports at its ends. Direct-attach and copper cables include their
 * connectors. A breakout assembly is copper inside a rack and fiber otherwise.
 */
export function isOptical({ cables }: Topology, cable: number): boolean {
  const kind = cableKinds[cables.kind[cable]]
  if (kind === 'Breakout') return cables.draped[cable] === 0
  return kind === 'Fiber' || kind === 'WanFiber'
}

/** Whether a cable is a line of a carrier. */
export const isCarrierLine = ({ cables }: Topology, cable: number): boolean =>
  cableKinds[cables.kind[cable]] === 'WanFiber'

/** Whether a port holds a transceiver. */
export const hasTransceiver = (topology: Topology, port: number): boolean =>
  topology.ports.cable[port] >= 0 && isOptical(topology, topology.ports.cable[port])
