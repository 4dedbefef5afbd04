import type { WorldView } from '../state.ts'
import type { FaultControl } from './model.ts'

/** Hosts out of service: for work on them, or drained for a campaign. */
export function createMaintenance({
  condition,
}: WorldView): Pick<FaultControl, 'setMaintenance' | 'setCampaign' | 'endCampaigns'> {
  const change = (host: number, by: number): void => {
    condition.hostMaintenance[host] = Math.max(0, condition.hostMaintenance[host] + by)
    condition.version++
  }
  return {
    setMaintenance: (host, isOut) => change(host, isOut ? 1 : -1),
    setCampaign(host, isOut) {
      // The operators may have ended it before.
      if (!isOut && condition.hostCampaigns[host] === 0) return
      condition.hostCampaigns[host] += isOut ? 1 : -1
      change(host, isOut ? 1 : -1)
    },
    endCampaigns: (host) => {
      change(host, -condition.hostCampaigns[host])
      condition.hostCampaigns[host] = 0
    },
  }
}
