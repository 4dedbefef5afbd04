import type { WorldState } from '../state.ts'
import type { Symptom } from './board.ts'
import type { Case } from './case.ts'
import type { Domains } from './domain.ts'
import { createKinship, explains, kin, sameSubject } from './kinship.ts'
import { isAtCustomer, isHostile, signals } from './signals.ts'

/** Which incident a symptom belongs to, as far as an operator can tell. */
export interface Belonging {
  /** The incident that a symptom belongs to; null where it stands alone. */
  placeOf(symptom: Symptom, cases: Iterable<Case>): Case | null
  /** The incident of which the cause is known, is there still, and explains best how a customer fares; null for none. */
  knownReasonFor(symptom: Symptom, cases: Iterable<Case>, over?: number): Case | null
  /** An incident that explains what a customer feels better than the one that counts it; null where none does. */
  betterPlaceOf(symptom: Symptom, cases: Iterable<Case>): Case | null
}

/** Symptoms of an incident that a new one is compared with. */
const comparedMost = 40
/** Where a cause is known, it need not explain so well what is left of another incident. */
const likelyEnough = kin / 2

export function createBelonging(state: WorldState, domains: Domains): Belonging {
  const { between, explained } = createKinship(state, domains)

  const accepts = (at: Case, symptom: Symptom): boolean => {
    if (at.root !== null && !explains(state, domains, at.root, symptom)) return false
    if (!isHostile(symptom.signal)) return true
    // Whoever attacks when an attack is over is somebody else.
    return (at.root === null || at.root.ended === null) && isAboutVictim(at, symptom)
  }
  /**
   * What may be at fault joins what may be at fault as well only where one brought about the other, not for whom both
   * hurt. Parts are compared with parts.
   */
  const closenessTo = (at: Case, symptom: Symptom): number => {
    const others = at.symptoms.values().take(comparedMost).toArray()
    const alike = [isPart, isCulprit].find((is) => is(symptom) && others.some(is)) ?? (() => true)
    return others.filter(alike).reduce((closest, other) => Math.max(closest, between(other, symptom)), 0)
  }
  /** How well what else an incident shows explains a symptom. */
  const explanationIn = (at: Case, symptom: Symptom): number =>
    at.symptoms
      .values()
      .filter(isCulprit)
      .take(comparedMost)
      .reduce((best, culprit) => Math.max(best, explained(culprit, symptom)), 0)

  return {
    placeOf(symptom, cases) {
      let best: Case | null = null
      let closest = 0
      for (const at of cases) {
        const accepted = accepts(at, symptom)
        if (at.known.has(symptom.key) && (accepted || !isHostile(symptom.signal))) return at
        if (!accepted) continue
        const closeness = closenessTo(at, symptom)
        // Of two that are as close, what began last is the likelier reason.
        if (closeness >= kin && closeness >= closest) {
          best = at
          closest = closeness
        }
      }
      return best
    },
    knownReasonFor(symptom, cases, over = likelyEnough) {
      const mayBe = ({ root }: Case): boolean =>
        root?.ended === null && explains(state, domains, root, symptom)
      return isFortune(symptom)
        ? worthiest(cases, (at) => (mayBe(at) ? explanationIn(at, symptom) : 0), over)
        : null
    },
    betterPlaceOf(symptom, cases) {
      const own = symptom.case!
      const mayBe = (at: Case): boolean => at !== own && accepts(at, symptom)
      const enough = Math.max(kin, explanationIn(own, symptom))
      return worthiest(cases, (at) => (mayBe(at) ? explanationIn(at, symptom) : 0), enough)
    },
  }
}

/** The one that is worth most, and more than so much; the first of several. */
function worthiest(cases: Iterable<Case>, worth: (at: Case) => number, over: number): Case | null {
  let found: Case | null = null
  let most = over
  for (const at of cases) {
    const value = worth(at)
    if (value <= most) continue
    found = at
    most = value
  }
  return found
}

/**
 * Whether an attack may be what an incident is about: it has been attacked already, or its users suffer and nothing
 * else was seen that explains it.
 */
const isAboutVictim = (at: Case, { subject }: Symptom): boolean =>
  at.symptoms.values().some((other) => isHostile(other.signal) && sameSubject(other.subject, subject)) ||
  !at.symptoms.values().some(isCulprit)

const isPart = ({ signal }: Symptom): boolean => signals[signal].part
/** Whether a symptom may be the reason for which customers suffer. */
export const isCulprit = ({ signal }: Symptom): boolean => signals[signal].harm > 0

/** Whether a symptom is how a customer fares, which may come from anywhere. */
export const isFortune = ({ signal }: Symptom): boolean => isAtCustomer(signal) && !isHostile(signal)
