import { capacityCases } from './rules/capacity.cases.ts'
import { hardwareCases } from './rules/hardware.cases.ts'
import { incidentCases } from './rules/incidents.cases.ts'
import { mirrorCases } from './rules/mirror.cases.ts'
import { moneyCases } from './rules/money.cases.ts'
import { networkCases } from './rules/network.cases.ts'
import { powerCases } from './rules/power.cases.ts'
import { securityCases } from './rules/security.cases.ts'
import { slaCases } from './rules/sla.cases.ts'
import { workCases } from './rules/work.cases.ts'

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
