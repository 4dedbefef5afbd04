import type { AlertName } from '../../../alerts/cases/alert-cases.ts'
import type { Claim } from './claim.ts'
import { moneyClaims } from './claims/money.ts'
import { workClaims } from './claims/work.ts'
import { capacityClaims } from './claims/capacity.ts'
import { incidentClaims } from './claims/incidents.ts'
import { networkClaims } from './claims/network.ts'
import { hardwareClaims } from './claims/hardware.ts'
import { powerClaims } from './claims/power.ts'
import { securityClaims } from './claims/security.ts'
import { slaClaims } from './claims/sla.ts'
import { promiseClaims } from './claims/promises.ts'

/** Alerts that the built-in world never causes: they are about monitoring itself, or about other worlds. */
const notOfThisWorld = [
  'DcsimIncidentOfUnknownBand',
  'DcsimGatewayFirewallOff',
  'DcsimMirrorDown',
  'DcsimMirrorAbsent',
  'DcsimMirrorScrapeEmpty',
  'DcsimMirrorSnapshotStale',
  'DcsimMirrorSourceDown',
  'DcsimMirrorCollectorFails',
  'DcsimMirrorSlow',
  'DcsimWorldPaused',
  'DcsimWorldStalled',
  'DcsimWorldLags',
  'DcsimWorldReplaced',
  'DcsimWorldNotSaved',
  'DcsimWatchdog',
  'DcsimMirrorRestarted',
  'DcsimMirrorErrors',
  'DcsimMirrorMemoryHigh',
  'DcsimMirrorEventLoopLag',
  'DcsimScrapeSlow',
  'DcsimScrapesTooFew',
  'DcsimRuleFailures',
  'DcsimNotificationsFail',
  'DcsimAlertsDropped',
  'DcsimWorldChanged',
  'DcsimWorldRestarted',
] as const satisfies readonly AlertName[]

type WorldAlert = Exclude<AlertName, (typeof notOfThisWorld)[number]>

/** The claims of all alerts about the world, with the memory of one run. */
export const claimsOfRun = (): Readonly<Record<WorldAlert, Claim>> => ({
  ...incidentClaims(),
  ...slaClaims(),
  ...promiseClaims(),
  ...capacityClaims(),
  ...networkClaims(),
  ...securityClaims(),
  ...hardwareClaims(),
  ...powerClaims(),
  ...moneyClaims(),
  ...workClaims(),
})
