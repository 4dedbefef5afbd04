import type { RandomStream } from '../random.ts'
import type { Topology } from '../topology/tables.ts'
import type { PartKind } from '../work/parts.ts'
import { partCatalog, partWithArticle } from '../work/parts.ts'
import type { PlannedStep, Skill, WorkPlan } from '../work/plans.ts'
import { access, fetchSpare, readTicket, step, travelTo } from '../work/plans.ts'
import type { Fault } from './model.ts'

/** The subject of a planned repair. */
export interface RepairContext {
  /** Name of the target. */
  readonly name: string
  readonly fault: Fault
  readonly topology: Topology
}

export type RepairPlanner = (context: RepairContext, random: RandomStream) => WorkPlan

/** Whether a host has several parts of this kind, another of which may fail too. */
const isOneOfSeveral = (part: PartKind): boolean => part === 'ssd' || part === 'psu' || part === 'memory'

const ordinals = ['second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

/** The label of a repair beside others that are open: `Replace a second SSD in …`. */
export const labelBeside = (label: string, open: readonly { readonly label: string }[]): string =>
  [label, ...ordinals.map((nth) => label.replace(/^Replace an? /, `Replace a ${nth} `))].find((own) =>
    open.every((other) => other.label !== own),
  ) ?? label

/** Replaces a part on site. */
export const replacePart =
  (skill: Skill, part: PartKind, swap: PlannedStep, afterwards: (name: string) => readonly PlannedStep[]) =>
  ({ name }: RepairContext): WorkPlan => ({
    kind: 'Replace',
    label: isOneOfSeveral(part)
      ? `Replace ${partWithArticle(part)} in ${name}`
      : `Replace the ${partCatalog[part].name} of ${name}`,
    skill,
    onSite: true,
    steps: [readTicket(3), travelTo(name), fetchSpare(part), { ...swap, needs: access }, ...afterwards(name)],
  })

/** Repairs power or cooling on site. */
export const repairFacility =
  (verb: string, ...steps: readonly PlannedStep[]): RepairPlanner =>
  ({ name }) => ({
    kind: 'Repair',
    label: `${verb} ${name}`,
    skill: 'power',
    onSite: true,
    steps: [readTicket(2), travelTo(name), ...steps],
  })

/** A repair of a line by the crew of its carrier or of a contractor. */
export const repairByCrewOf =
  (owner: 'the carrier' | 'a contractor', verb: string, ...steps: readonly PlannedStep[]): RepairPlanner =>
  ({ name }) => ({
    kind: 'Repair',
    label: `Have ${owner} ${verb} ${name}`,
    skill: 'network',
    // Anyone can make a phone call.
    skillOptional: true,
    onSite: false,
    steps: [readTicket(3), ...steps],
  })

/** Replaces a cable, fiber or not. */
export const replaceCable =
  (isFiber: boolean): RepairPlanner =>
  ({ name }) => ({
    kind: 'Recable',
    label: `Replace ${name}`,
    skill: 'network',
    onSite: true,
    steps: [
      readTicket(3),
      travelTo(name),
      fetchSpare('cable'),
      isFiber
        ? step('Splice', 'Pull a new fiber through the trays and splice it', 42, access)
        : step('Swap', 'Pull a new cable and plug it in at both ends', 22, access),
      step('Test', isFiber ? 'Check light levels and errors at both ends' : 'Check errors at both ends', 5),
    ],
  })

/** Replaces a whole network device. */
export function planReplacement(part: PartKind): RepairPlanner {
  const swap = step('Swap', 'Rack the replacement and move the cables over', 34)
  const replace = replacePart('network', part, swap, () => [
    step('Configure', 'Load the saved configuration', 10),
    step('Test', 'Check all neighbors and routes', 8),
  ])
  return (context) => ({ ...replace(context), label: `Replace ${context.name}` })
}

/** Changes settings remotely; done by the automation if no skill is required. */
export const reconfigure =
  (skill: Skill | null, verb: string, steps: (name: string) => readonly PlannedStep[]): RepairPlanner =>
  ({ name }) => ({
    kind: 'Reconfigure',
    label: `${verb} ${name}`,
    skill,
    onSite: false,
    steps: [...(skill === null ? [] : [readTicket(2)]), ...steps(name)],
  })

/** Mitigates the effects of a fault that cannot be repaired; done by the automation if no skill is required. */
export const mitigate =
  (skill: Skill | null, verb: string, steps: readonly PlannedStep[]): RepairPlanner =>
  ({ name }) => ({
    kind: 'Mitigate',
    label: `${verb} ${name}`,
    skill,
    skillOptional: true,
    onSite: false,
    steps: [...(skill === null ? [] : [readTicket(2)]), ...steps],
  })

/** Reduces demand where capacity is short. */
export const relieve: RepairPlanner = mitigate(null, 'Relieve', [
  step('Inspect', 'Identify the heaviest users', 4),
  step('Configure', 'Rate-limit the heaviest users, cheapest plans first', 10),
  step('Test', 'Check that there is headroom again', 5),
])
