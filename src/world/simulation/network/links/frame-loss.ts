import type { NetworkWorld } from '../../state.ts'

/** Share of frames that survive the wire between two ports. */
export function survivingShare(
  { topology, condition }: Pick<NetworkWorld, 'topology' | 'condition'>,
  port: number,
  peer: number,
): number {
  const cable = topology.ports.cable[port]
  const survivesCable = cable < 0 ? 1 : 1 - condition.cableLoss[cable]
  return (1 - condition.portLoss[port]) * (1 - condition.portLoss[peer]) * survivesCable
}
