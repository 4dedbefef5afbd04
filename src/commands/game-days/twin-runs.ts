/** Runs the world of a session again: as it was, and without what the team ordered. */
import type { SessionAction, SessionOpening } from '../../contract/game-days/session-line.ts'
import type { TruthLine } from '../../contract/game-days/truth-line.ts'
import type { HarmSample, TwinHarm } from '../../debrief/harm.ts'
import { ParseFailure } from '../../options/setting.ts'
import { worldSettings } from '../../options/world-settings.ts'
import { createBuiltInWorld, second, stepSeconds } from '../../world/built-in-world.ts'
import type { BuiltInWorld, BuiltInWorldOptions, FaultTruth } from '../../world/built-in-world.ts'
import { parseActionLine } from '../../world/scenario-language.ts'
import type { Scenario } from '../../world/scenario-language.ts'

const samplesPerMinute = 60 / stepSeconds

interface TwinRuns {
  readonly opening: SessionOpening
  readonly scenario: Scenario | null
  readonly actions: readonly SessionAction[]
  readonly faults: readonly TruthLine[]
  readonly untilSimSeconds: number
  readonly onProgress: (done: number) => void
}

/** Both worlds share the warm-up, which takes most of the time. */
export function runTwins({
  opening,
  scenario,
  actions,
  faults,
  untilSimSeconds,
  onProgress,
}: TwinRuns): TwinHarm {
  const { seed, scale: scaleText, speed, warmup_s: warmUp, blind, began } = opening.opened
  const scale = worldSettings.scale.parse(String(scaleText))
  if (scale instanceof ParseFailure)
    throw new Error(`the scale of the truth is ${scaleText}, expected ${scale.expected}`)
  const options: BuiltInWorldOptions = {
    seed: BigInt(seed),
    scale,
    speed,
    scenario,
    blind,
    warmUpNs: BigInt(Math.round(warmUp * 1e9)),
  }
  const beganAt = began.sim_s * second
  const total = 2 * untilSimSeconds
  const run = (
    did: readonly SessionAction['did'][],
    from: number,
  ): { harm: HarmSample[]; begun: Set<string> } => {
    const begun = new Set<string>()
    const note = ({ kind, entity, begin }: FaultTruth): Set<string> =>
      begun.add(`${kind} ${entity.name} ${begin.sim_s}`)
    const world = createBuiltInWorld({ ...options, truth: { wallOf: () => 0, onComplete: note } })
    for (const { did: how, at, line } of actions) {
      const parsed = parseActionLine(line)
      if (!did.includes(how) || 'problem' in parsed) continue
      world.actions.inject({ action: parsed.line.action, at: at.sim_s * second, label: '' })
    }
    while (world.now < beganAt) step(world, from)
    const harm: HarmSample[] = [world.harm()]
    for (let steps = 1; world.now < untilSimSeconds * second; steps++) {
      step(world, from)
      if (steps % samplesPerMinute === 0) harm.push(world.harm())
    }
    world.openFaults().forEach(note)
    return { harm, begun }
  }
  const step = (world: BuiltInWorld, from: number): void => {
    world.step()
    if (world.now % (360 * stepSeconds * second) === 0) onProgress((from + world.now / second) / total)
  }
  const acted = run(['injected', 'ordered'], 0)
  const idle = run(['injected'], untilSimSeconds)
  const isExact = faults
    .filter(({ begin }) => begin.sim_s >= began.sim_s)
    .every(({ kind, entity, begin }) => acted.begun.has(`${kind} ${entity.name} ${begin.sim_s}`))
  return { acted: acted.harm, idle: idle.harm, isExact }
}
