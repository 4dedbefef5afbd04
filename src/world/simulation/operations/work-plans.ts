import type { FaultTarget } from '../topology/fault-target.ts'
import type { PartKind } from '../work/parts.ts'
import type { PlannedStep, Skill, WorkPlan } from '../work/plans.ts'
import { access, fetchSpare, readTicket, step, travelTo } from '../work/plans.ts'
import type { UpkeepTarget } from './preventive-maintenance.ts'

/** How a suspect is diagnosed, and the skill that it takes; null where the automation reads management controllers. */
const inspections: Readonly<
  Record<FaultTarget['kind'], { readonly skill: Skill | null; readonly reads: string }>
> = {
  Host: { skill: null, reads: 'Read the management controller and the logs of' },
  Pool: { skill: null, reads: 'Compare load, units and hosts of' },
  Switch: { skill: 'network', reads: 'Compare counters, logs and paths around' },
  Gateway: { skill: 'network', reads: 'Compare counters, logs and paths around' },
  Appliance: { skill: 'security', reads: 'Compare counters, logs and rules of' },
  Cable: { skill: 'network', reads: 'Compare the counters at both ends of' },
  Port: { skill: 'network', reads: 'Compare counters and logs around' },
  PowerFeed: { skill: 'power', reads: 'Read the logs of breakers and UPS of' },
  CoolingUnit: { skill: 'power', reads: 'Read the alarms and temperatures of' },
  Customer: { skill: 'platform', reads: 'Compare requests, errors and paths of' },
}

/** The order is named by the symptom, as the first suspect is often not the cause. */
export function planDiagnosis(suspect: FaultTarget | null, name: string, symptom: string): WorkPlan {
  const { skill, reads } = inspections[suspect?.kind ?? 'Customer']
  const inspection = step('Inspect', `${reads} ${name}`, skill === null ? 4 : 9)
  return {
    kind: 'Diagnose',
    label: `Diagnose "${symptom.replace(/\.$/, '')}"`,
    skill,
    skillOptional: true,
    onSite: false,
    steps: skill === null ? [inspection] : [readTicket(2), inspection],
  }
}

/** Added to a diagnosis that finds its suspect intact. */
export const traceFailingRequestsStep = step(
  'Inspect',
  'No fault found there: trace failing requests hop by hop',
  6,
)

const planPartRenewal = (
  label: string,
  name: string,
  skill: Skill,
  part: PartKind,
  steps: readonly PlannedStep[],
): WorkPlan => ({
  kind: 'Upkeep',
  label,
  skill,
  onSite: true,
  steps: [travelTo(name), fetchSpare(part), ...steps],
})

export function planUpkeep({ kind }: UpkeepTarget, name: string): WorkPlan {
  if (kind === 'Host') {
    return planPartRenewal(`Renew the worn SSDs of ${name}`, name, 'hardware', 'ssd', [
      step('Swap', 'Replace the worn SSDs one at a time', 25, access),
      step('Test', 'Rebuild and verify the array', 30),
    ])
  }
  if (kind === 'PowerFeed') {
    return planPartRenewal(`Renew the batteries of ${name}`, name, 'power', 'battery', [
      step('Swap', 'Replace the oldest battery string', 50, access),
      step('Test', 'Run a full discharge and recharge cycle', 60),
    ])
  }
  return planPartRenewal(`Clean ${name}`, name, 'power', 'filter', [
    step('Clean', 'Replace the filters and clean the coils', 30, access),
    step('Test', 'Measure the airflow', 8),
  ])
}

const minutesPerUnit = 0.5
const provisioningMinutesMax = 480

export function planOnboarding(customer: string, units: number): WorkPlan {
  const minutes = Math.min(provisioningMinutesMax, 3 + units * minutesPerUnit)
  return {
    kind: 'Onboarding',
    label: `Onboard ${customer}`,
    skill: null,
    onSite: false,
    steps: [
      step('Configure', 'Set up networks and accounts', 6),
      step('Provision', `Start its units (${units})`, minutes),
      step('Test', 'Test every service from outside', 8),
    ],
  }
}
