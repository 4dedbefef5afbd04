import { capacityCases } from './capacity.ts'
import { hardwareCases } from './hardware.ts'
import { incidentCases } from './incidents.ts'
import { mirrorCases } from './mirror.ts'
import { moneyCases } from './money.ts'
import { networkCases } from './network.ts'
import { powerCases } from './power.ts'
import { securityCases } from './security.ts'
import { slaCases } from './sla.ts'
import { workCases } from './work.ts'

/** The test case of every alert except DcsimWatchdog, which always fires. An alert without a case does not compile. */
export const alertCases = {
  ...incidentCases,
  ...slaCases,
  ...capacityCases,
  ...networkCases,
  ...securityCases,
  ...hardwareCases,
  ...powerCases,
  ...moneyCases,
  ...workCases,
  ...mirrorCases,
}

export type AlertName = keyof typeof alertCases | 'DcsimWatchdog'
export const alertNames = [...Object.keys(alertCases), 'DcsimWatchdog'] as AlertName[]
