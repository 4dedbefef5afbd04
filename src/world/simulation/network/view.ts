/** The interface of the network to records. */
export {
  addonClasses,
  applianceCeilingGbps,
  builtinFirewallClass,
  gbpsPerUnit,
  hasAddon,
  inspectionCapacityGbps,
  multiZoneCapable,
  throttledShareMin,
  wanPolicy,
} from './capabilities.ts'
export { countBytes } from './counters.ts'
export { survivingShare } from './links/frame-loss.ts'
export type { NetworkView } from './state.ts'
export { attackClassOn } from './threats/hostile-traffic.ts'
