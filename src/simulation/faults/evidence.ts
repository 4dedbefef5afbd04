import type { RootKind } from '../../contract/vocabularies.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import type { Micros } from '../time.ts'
import type { Check, Instruments, Observation } from './check.ts'
import { demandChecks } from './demand-checks.ts'
import { deviceChecks, hostChecks, powerChecks } from './device-checks.ts'
import { linkChecks, settingChecks } from './network-checks.ts'

const checks: Readonly<Record<RootKind, readonly Check[]>> = {
  Unknown: [],
  ...hostChecks,
  ...powerChecks,
  ...deviceChecks,
  ...settingChecks,
  ...linkChecks,
  ...demandChecks,
}

/** What is known about a suspicion so long after it arose. */
export function observe(
  state: WorldState,
  kind: RootKind,
  target: FaultTarget,
  age: Micros,
  instruments: Instruments,
): Observation[] {
  return checks[kind]
    .filter((check) => age >= check.after)
    .map((check) => check.look(state, target, instruments))
}

export const plain = (marked: string): string => marked.replaceAll('**', '')
