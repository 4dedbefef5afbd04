import type { FaultTarget } from '../topology/fault-target.ts'
import type { WorkPlan, PlannedStep } from './work-order.ts'
import type { UpkeepTarget } from './preventive-maintenance.ts'
import { partWithArticle, type PartKind } from './inventory.ts'
import type { Skill } from './technicians.ts'

/** Skill that diagnoses a suspect; null where the automation reads management controllers. */
const inspectors: Readonly<Record<FaultTarget['kind'], Skill | null>> = {
  Host: null,
  Pool: null,
  Switch: 'network',
  Gateway: 'network',
  Appliance: 'security',
  Cable: 'network',
  Port: 'network',
  PowerFeed: 'power',
  CoolingUnit: 'power',
  Customer: 'platform',
}

export function planDiagnosis(suspect: FaultTarget | null, name: string): WorkPlan {
  const skill = suspect === null ? 'platform' : inspectors[suspect.kind]
  const inspection: PlannedStep =
    skill === null
      ? { kind: 'Inspect', detail: `Read management controllers and logs around ${name}`, minutes: 4 }
      : { kind: 'Inspect', detail: `Compare counters, logs and paths around ${name}`, minutes: 9 }
  return {
    kind: 'Diagnose',
    label: `Diagnose the problem at ${name}`,
    skill,
    skillOptional: true,
    onSite: false,
    steps:
      skill === null ? [inspection] : [{ kind: 'Assign', detail: 'Read the ticket', minutes: 2 }, inspection],
  }
}

/** Added to a diagnosis whose suspect turns out to be intact. */
export const traceFailingRequestsStep: PlannedStep = {
  kind: 'Inspect',
  detail: 'No fault found there: trace failing requests hop by hop',
  minutes: 6,
}

const planPartRenewal = (
  label: string,
  name: string,
  skill: Skill,
  part: PartKind,
  steps: readonly [PlannedStep, ...PlannedStep[]],
): WorkPlan => ({
  kind: 'Upkeep',
  label,
  skill,
  onSite: true,
  steps: [
    { kind: 'Travel', detail: `Go to ${name}`, minutes: 6 },
    {
      kind: 'FetchSpare',
      detail: `Fetch ${partWithArticle(part)} from stock`,
      minutes: 6,
      needs: { kind: 'Spare', part },
    },
    { ...steps[0], needs: { kind: 'Access' } },
    ...steps.slice(1),
  ],
})

export function planUpkeep({ kind }: UpkeepTarget, name: string): WorkPlan {
  if (kind === 'Host') {
    return planPartRenewal(`Renew the worn SSDs of ${name}`, name, 'hardware', 'ssd', [
      { kind: 'Swap', detail: 'Replace the worn SSDs one at a time', minutes: 25 },
      { kind: 'Test', detail: 'Rebuild and verify the array', minutes: 30 },
    ])
  }
  if (kind === 'PowerFeed') {
    return planPartRenewal(`Renew the batteries of ${name}`, name, 'power', 'battery', [
      { kind: 'Swap', detail: 'Replace the oldest battery string', minutes: 50 },
      { kind: 'Test', detail: 'Run a full discharge and recharge cycle', minutes: 60 },
    ])
  }
  return planPartRenewal(`Clean ${name}`, name, 'power', 'filter', [
    { kind: 'Clean', detail: 'Replace the filters and clean the coils', minutes: 30 },
    { kind: 'Test', detail: 'Measure the airflow', minutes: 8 },
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
      { kind: 'Configure', detail: 'Set up networks and accounts', minutes: 6 },
      { kind: 'Provision', detail: `Start its units (${units})`, minutes },
      { kind: 'Test', detail: 'Test every service from outside', minutes: 8 },
    ],
  }
}
