import type { ObservedWorld } from '../../state.ts'
import { customerIdOf } from '../correlation/subjects.ts'
import { severityOf, worstAffected } from '../impact.ts'
import type { Headline, Incident, Symptom } from '../model.ts'
import { touch, writable } from '../model.ts'
import { isCustomerImpairment } from '../monitors/signals.ts'
import { symptomKindOf, symptomWording } from '../wording.ts'
import { swapDetails } from './timeline.ts'

/** The symptom in the title of an incident. */

/** Ratio by which another customer must be affected worse to replace the one in the title. */
const replacesRatio = 1.25

export function headlineOf(world: ObservedWorld, symptom: Symptom): Headline {
  const { key, args, text } = symptomWording(world, symptom)
  return {
    symptomKey: symptom.key,
    signal: symptom.signal,
    kind: symptomKindOf(symptom),
    key,
    args,
    text,
    customerId: customerIdOf(symptom.subject),
  }
}

/** Titles a new incident by its worst customer symptom, which then opens the timeline. */
export function titleByWorstAffected(world: ObservedWorld, incident: Incident): void {
  const worst = replacementOf(world, incident, 1)
  if (worst === null) return
  const { text: first } = incident.headline
  title(world, incident, worst)
  swapDetails(incident, first, incident.headline.text)
}

/** Until the cause is confirmed, the title follows the worst affected customer. */
export function retitle(world: ObservedWorld, incident: Incident): void {
  if (incident.root !== null) return
  const worst = replacementOf(world, incident, replacesRatio)
  if (worst !== null) title(world, incident, worst)
}

function title(world: ObservedWorld, incident: Incident, symptom: Symptom): void {
  writable(incident, 'title').headline = headlineOf(world, symptom)
  touch(incident, world.now)
}

/** The symptom that replaces the customer symptom in the title; null if none does. */
function replacementOf(
  world: ObservedWorld,
  { headline, symptoms }: Incident,
  ratio: number,
): Symptom | null {
  if (!isCustomerImpairment(headline.signal)) return null
  const titled = symptoms.values().find(({ key }) => key === headline.symptomKey)
  const worst = worstAffected(world, symptoms)
  if (worst === null || worst === titled) return null
  if (titled === undefined) return worst
  return ratio === 1 || severityOf(world, worst) > ratio * severityOf(world, titled) ? worst : null
}
