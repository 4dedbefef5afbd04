import { criticalName } from './causes.ts'
import { severityOf } from './rules.ts'
import type { Proof } from './prove.ts'
import { rowsOf } from './table.ts'

/** A requirement of the proof. */
interface Demand {
  readonly says: string
  readonly found: string
  readonly isMet: boolean
  readonly offenders: readonly string[]
}

/** Wall seconds within which an alert on a grave incident has to fire. */
const alertedWithin = 60
const rightShare = 0.95

function graveAreAlerted({ grave }: Proof): Demand {
  const unseen = grave.filter(({ delay, isBrief }) => delay === null && isBrief)
  const due = grave.length - unseen.length
  const late = grave.filter(
    ({ delay, isBrief }) => (delay === null && !isBrief) || (delay ?? 0) > alertedWithin,
  )
  const worst = Math.max(0, ...grave.map(({ delay }) => delay ?? 0))
  return {
    says: `every incident that is Major or Critical for two scrapes is alerted within ${alertedWithin} wall seconds at speed 60`,
    found: `${due - late.length} of ${due} were, at worst after ${worst} s; ${unseen.length} more were over before a scrape saw them`,
    isMet: late.length === 0 && due > 0,
    offenders: late.map(
      ({ run, incident, band, reached, delay }) =>
        `${run}: incident ${incident}, ${band} at ${reached} s, ${delay === null ? 'never' : `after ${delay} s`}`,
    ),
  }
}

function criticalAreTrue({ verdicts }: Proof): Demand {
  const critical = verdicts.filter(({ alert }) => alert === criticalName)
  const fired = critical.reduce((sum, verdict) => sum + verdict.fired, 0)
  const causeless = critical.flatMap(({ run, causeless: those }) =>
    those.map((one) => `${run}: ${criticalName} ${one}`),
  )
  const share = fired === 0 ? 0 : 1 - causeless.length / fired
  return {
    says: `at least ${100 * rightShare} % of the alerts of severity critical correspond to a true fault`,
    found: `${fired - causeless.length} of ${fired} do, ${(100 * share).toFixed(1)} %`,
    isMet: share >= rightShare,
    offenders: causeless,
  }
}

function quietIsQuiet({ quiet }: Proof): Demand {
  const loud = quiet.filter(({ alert }) => ['critical', 'warning'].includes(severityOf(alert)))
  return {
    says: 'none of severity critical or warning fires in the quiet week',
    found: loud.length === 0 ? 'none did' : `${loud.length} did`,
    isMet: loud.length === 0,
    offenders: loud.map(({ run, alert, times }) => `${run}: ${alert}, ${times} times`),
  }
}

function allFire(proof: Proof): Demand {
  const due = rowsOf(proof)
  const silent = due.filter(({ fired }) => fired === 0)
  const all = due.length
  return {
    says: 'each alert fires in at least one run',
    found: `${all - silent.length} of ${all} did`,
    isMet: silent.length === 0,
    offenders: silent.map(({ alert }) => alert),
  }
}

export const demandsOf = (proof: Proof): Demand[] => [
  graveAreAlerted(proof),
  criticalAreTrue(proof),
  quietIsQuiet(proof),
  allFire(proof),
  ...(proof.inbox?.findings ?? []),
]
