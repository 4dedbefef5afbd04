import { numberText } from '../../../../contract/messages/catalog.ts'
import { cableKinds } from '../../../../contract/vocabularies.ts'
import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { firstCableOfHost, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { isOptical } from '../../../topology/optics.ts'
import { isPlugged, type Topology } from '../../../topology/tables.ts'
import { countFaults } from '../../effects.ts'
import { failure, type FaultKind } from '../../fault-kind.ts'
import { cutSameDuct } from '../../hazards/aftereffects.ts'
import { drawBreakage } from '../../hazards/hazards.ts'
import { readTicket, type RepairContext, type RepairPlanner, replaceCable, step } from '../../repair.ts'

const spliceByCarrier: RepairPlanner = ({ name }) => ({
  kind: 'Repair',
  label: `Have the carrier splice ${name}`,
  skill: 'network',
  onSite: false,
  steps: [
    readTicket(3),
    step('Inspect', 'Locate the break with an OTDR', 10),
    {
      ...step('Splice', "The carrier's crew splices the fiber", 55),
      needs: { kind: 'Vendor', minutes: [60, 260] },
    },
    step('Test', 'Measure the loss end to end', 8),
  ],
})

const cableKindOf = ({ topology, fault: { target } }: RepairContext): (typeof cableKinds)[number] =>
  target.kind === 'Cable' ? cableKinds[topology.cables.kind[target.row]] : 'Copper'

const isFiber = ({ topology, fault: { target } }: RepairContext): boolean =>
  target.kind === 'Cable' && isOptical(topology, target.row)

/** Where a cable is cut: lines to carriers, of which only the first meters are ours, somewhere in the city. */
function breakDistance({ cables }: Topology, row: number): string {
  const { kind, lengthM } = cables
  if (cableKinds[kind[row]] !== 'WanFiber' || lengthM[row] > 1_000)
    return `${numberText(Math.ceil(lengthM[row] / 3))} m`
  return `${numberText(1.3 + ((row * 37) % 83) / 10)} km`
}

export const cableCut: FaultKind = {
  origin: {
    type: 'hazard',
    hazardsIn: ({ topology, condition }) => [
      {
        target: 'Cable',
        turn: 15,
        faultsPerDay: 0.45,
        partCount: topology.cables.count,
        // The longer the way, the more people, rodents and excavators pass it.
        weight(row) {
          if (!isPlugged(topology, row)) return 0
          const isWan = cableKinds[topology.cables.kind[row]] === 'WanFiber'
          return isWan ? 60 : 2 + Math.min(20, topology.cables.lengthM[row])
        },
        strain: (row) => (condition.cableCut[row] > 0 ? 0 : 1),
        draw: drawBreakage,
      },
    ],
  },
  effects: { Cable: countFaults('cableCut') },
  // An excavator rarely hits one line alone.
  aftereffects: [cutSameDuct(0.6, [0, 1]), cutSameDuct(0.5, [0, 1]), cutSameDuct(0.4, [0, 2])],
  diagnosis: {
    message: 'cause.cable-cut',
    article: article('cable-cut', 'Finding where a **cable** is cut'),
    lookAt: 'Measure reflections along the cable (OTDR or TDR)',
    suspicions: [
      suspicion(subjectItself, { 'link-down': 0.45, 'link-errors': 0.1 }),
      suspicion(firstCableOfHost, { 'host-silent': 0.1 }),
    ],
    checks: [
      readingCheck({
        delay: 5 * minute,
        label: (name) => `Reflection along ${name}`,
        read: ({ condition, topology }, row) =>
          condition.cableCut[row] > 0 ? `open end at ${breakDistance(topology, row)}` : null,
        abnormal: ['The signal is reflected partway along the cable.', 7],
        normal: ['none', 'The cable is intact.', 0.12],
      }),
    ],
    isShortage: false,
  },
  planRepair(context, random) {
    const plan = cableKindOf(context) === 'WanFiber' ? spliceByCarrier : replaceCable(isFiber(context))
    return plan(context, random)
  },
  repairRenews: 'nothing',
  reach: 'local',
  explainsShortages: true,
  action: failure('Cable'),
}
