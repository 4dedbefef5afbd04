import type { NetworkWorld } from '../../state.ts'

type LossWorld = Pick<NetworkWorld, 'topology' | 'condition'>

/** Share of frames that survive the wire between two ports. */
export function survivingShare({ topology, condition }: LossWorld, port: number, peer: number): number {
  const cable = topology.ports.cable[port]
  const survivesCable = cable < 0 ? 1 : 1 - condition.cableLoss[cable]
  return (1 - condition.portLoss[port]) * (1 - condition.portLoss[peer]) * survivesCable
}

/** Share of frames lost at a port, by the port itself or its cable. */
export function lossAt({ topology, condition }: LossWorld, port: number): number {
  const cable = topology.ports.cable[port]
  const cableLoss = cable < 0 ? 0 : condition.cableLoss[cable]
  return 1 - (1 - condition.portLoss[port]) * (1 - cableLoss)
}
