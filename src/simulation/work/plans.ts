import type { FaultTarget } from '../state.ts'
import type { Plan, PlannedStep } from './orders.ts'
import { aPart, type PartKind } from './spares.ts'
import type { Skill } from './staff.ts'

/** Who looks into an incident, by what its symptoms point at. */
const inspectors: Readonly<Record<FaultTarget['kind'], Skill | null>> = {
  // Management controllers and the placement of units can be read without anybody.
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

export function planDiagnosis(suspect: FaultTarget | null, name: string): Plan {
  const skill = suspect === null ? 'platform' : inspectors[suspect.kind]
  const look: PlannedStep =
    skill === null
      ? { kind: 'Inspect', detail: `Read the controllers and logs around ${name}`, minutes: 4 }
      : { kind: 'Inspect', detail: `Compare counters, logs and paths around ${name}`, minutes: 9 }
  return {
    kind: 'Diagnose',
    label: `Find out what is wrong with ${name}`,
    skill,
    anybody: true,
    onSite: false,
    steps: skill === null ? [look] : [{ kind: 'Assign', detail: 'Read the ticket', minutes: 2 }, look],
  }
}

/** Whoever finds nothing wrong where they were sent goes on from there. */
export const followTrail: PlannedStep = {
  kind: 'Inspect',
  detail: 'Nothing is wrong there: follow the requests that fail, hop by hop',
  minutes: 6,
}

const service = (
  label: string,
  name: string,
  skill: Skill,
  part: PartKind,
  steps: readonly [PlannedStep, ...PlannedStep[]],
): Plan => ({
  kind: 'Upkeep',
  label,
  skill,
  onSite: true,
  steps: [
    { kind: 'Travel', detail: `Go to ${name}`, minutes: 6 },
    {
      kind: 'FetchSpare',
      detail: `Fetch ${aPart(part)} from the shelf`,
      minutes: 6,
      needs: { kind: 'Spare', part },
    },
    { ...steps[0], needs: { kind: 'Access' } },
    ...steps.slice(1),
  ],
})

/** Upkeep of a part before it breaks; null for what needs none. */
export function planUpkeep({ kind }: FaultTarget, name: string): Plan | null {
  if (kind === 'Host') {
    return service(`Renew the worn SSDs of ${name}`, name, 'hardware', 'ssd', [
      { kind: 'Swap', detail: 'Change the worn SSDs one after another', minutes: 25 },
      { kind: 'Test', detail: 'Let the array rebuild and check it', minutes: 30 },
    ])
  }
  if (kind === 'PowerFeed') {
    return service(`Renew the batteries of ${name}`, name, 'power', 'battery', [
      { kind: 'Swap', detail: 'Change the oldest battery string', minutes: 50 },
      { kind: 'Test', detail: 'Discharge and charge it once', minutes: 60 },
    ])
  }
  if (kind !== 'CoolingUnit') return null
  return service(`Clean ${name}`, name, 'power', 'filter', [
    { kind: 'Clean', detail: 'Change the filters and wash the coils', minutes: 30 },
    { kind: 'Test', detail: 'Measure the flow of air', minutes: 8 },
  ])
}

/** How long it takes to provision units: each in a few seconds, and never longer than a working day. */
const minutesPerUnit = 0.5
const longestProvisioningMinutes = 480

export function planOnboarding(customer: string, units: number): Plan {
  const minutes = Math.min(longestProvisioningMinutes, 3 + units * minutesPerUnit)
  return {
    kind: 'Onboarding',
    label: `Bring ${customer} on board`,
    skill: null,
    onSite: false,
    steps: [
      { kind: 'Configure', detail: 'Set up its networks and its accounts', minutes: 6 },
      { kind: 'Provision', detail: `Start its units, ${units} in all`, minutes },
      { kind: 'Test', detail: 'Try every service from outside', minutes: 8 },
    ],
  }
}
