import { numberText } from '../../../../../contract/messages/catalog.ts'
import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { firstCableOfHost, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import type { ObservedWorld } from '../../../state.ts'
import { minute } from '../../../time.ts'
import { rowOf } from '../../../topology/entities.ts'
import { isCarrierLine, isOptical } from '../../../topology/optics.ts'
import { combine, countFaults, valueOfFirst } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { cutSameDuct } from '../../hazards/aftereffects.ts'
import { cableParts, drawBreakage } from '../../hazards/hazards.ts'
import { repairByCrewOf, replaceCable } from '../../repair.ts'
import { step } from '../../../work/plans.ts'

const spliceSteps = [
  step('Inspect', 'Locate the break with an OTDR', 10),
  step('Splice', 'The crew splices the fiber', 55, {
    kind: 'Vendor',
    wait: 'the splicing crew is on the way',
    minutes: [60, 260],
  }),
  step('Test', 'Measure the loss end to end', 8),
]
const spliceByCarrier = repairByCrewOf('the carrier', 'splice', ...spliceSteps)
const spliceByContractor = repairByCrewOf('a contractor', 'splice', ...spliceSteps)

/** Length from which a cable leaves the building: it is spliced where it is cut. */
const outdoorMinM = 500

/** Range of the distance to a cut in the duct, and the unit of slack between lines. */
const ductKm: readonly [min: number, max: number] = [1.3, 9.6]
const slackKm = 0.01
/** Number of different slacks among lines. */
const slackSteps = 7

/**
 * Distance to the cut. Only the first meters of lines to carriers belong to the operator; lines between zones run through
 * the city, where lines in one duct are about equally long.
 */
function breakDistance({ topology, condition }: ObservedWorld, row: number): string {
  const { cables } = topology
  const place = condition.cableCutPlace[row]
  const lengthM = cables.lengthM[row]
  const isLong = lengthM >= outdoorMinM
  if (!isLong && !isCarrierLine(topology, row))
    return `${numberText(Math.max(1, Math.round(lengthM * (0.1 + 0.8 * place))))} m`
  const [min, max] = ductKm
  const km = min + place * (max - min) + (row % slackSteps) * slackKm
  return `${numberText(isLong ? Math.min(km, (0.9 * lengthM) / 1_000) : km)} km`
}

export const cableCut: FaultKind = {
  origin: hazard((world) => ({
    // The risk from people, rodents and excavators grows with the length.
    ...cableParts(world, (row) =>
      isCarrierLine(world.topology, row) ? 60 : 2 + Math.min(20, world.topology.cables.lengthM[row]),
    ),
    faultsPerDay: 0.25,
    draw: drawBreakage,
  })),
  effects: {
    Cable: combine(
      countFaults('cableCut'),
      valueOfFirst('cableCutPlace', ({ place }) => place),
    ),
  },
  // An excavator rarely cuts a single line.
  aftereffects: [cutSameDuct(0.6, [0, 1]), cutSameDuct(0.5, [0, 1]), cutSameDuct(0.4, [0, 2])],
  diagnosis: {
    article: article('cable-cut', 'Finding where a **cable** is cut'),
    lookAt: 'Measure reflections along the cable (OTDR or TDR)',
    suspicions: [
      suspicion(subjectItself, { 'link-down': 0.45, 'link-errors': 0.1 }),
      suspicion(firstCableOfHost, { 'host-silent': 0.1 }),
    ],
    checks: [
      readingCheck({
        delay: 5 * minute,
        isOnSite: true,
        label: (name) => `Reflection along ${name}`,
        read: (world, row) =>
          world.condition.cableCut[row] > world.condition.cableUnlit[row]
            ? `open end at ${breakDistance(world, row)}`
            : null,
        abnormal: ['The signal is reflected partway along the cable.', 7],
        normal: ['none', 'The cable is intact.', 0.12],
      }),
    ],
  },
  remedy: 'replace cable',
  planRepair(context, random) {
    const { topology, fault } = context
    const cable = rowOf(fault.target)
    const plan = isCarrierLine(topology, cable)
      ? spliceByCarrier
      : topology.cables.lengthM[cable] >= outdoorMinM
        ? spliceByContractor
        : replaceCable(isOptical(topology, cable))
    return plan(context, random)
  },
  explainsShortages: true,
  action: failure('Cable'),
}
