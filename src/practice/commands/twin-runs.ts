/** Runs the world of a session again: as it was, and without what the team ordered. */
import type { SessionAction, SessionOpening } from '../../contract/game-days/session-line.ts'
import type { TruthLine } from '../../contract/game-days/truth-line.ts'
import type { HarmSample, TwinHarm } from '../debrief/harm.ts'
import { OptionError } from '../../options/parse-options.ts'
import { durationDaysMax, ParseFailure } from '../../options/setting.ts'
import { worldSettings } from '../../options/world-settings.ts'
import { follow } from '../twins/compare-worlds.ts'
import { continueFrom, branchPointOf } from '../twins/branch-point.ts'
import { createBuiltInWorld, second } from '../../world/built-in-world.ts'
import type { BuiltInWorldOptions, FaultTruth } from '../../world/built-in-world.ts'
import { parseActionLine } from '../../world/scenario-language.ts'
import type { Scenario } from '../../world/scenario-language.ts'

const minute = 60
const secondsPerDay = 86_400

interface TwinRuns {
  readonly opening: SessionOpening
  readonly scenario: Scenario | null
  readonly actions: readonly SessionAction[]
  readonly faults: readonly TruthLine[]
  readonly untilSimSeconds: number
  readonly onProgress: (done: number) => void
}

/** Both worlds continue from the end of the warm-up, which takes most of the time. */
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
    throw new OptionError(
      `the scale of the session is ${JSON.stringify(scaleText)}, expected ${scale.expected}`,
    )
  const days = untilSimSeconds / secondsPerDay
  if (days > durationDaysMax)
    throw new OptionError(
      `the world of the session is ${Math.round(days)} days old, which takes too long to run again, expected at most ${durationDaysMax}; --twin no leaves that out`,
    )
  const options: BuiltInWorldOptions = {
    seed: BigInt(seed),
    scale,
    speed,
    scenario,
    blind,
    warmUpNs: BigInt(Math.round(warmUp * 1e9)),
  }
  const lastsSeconds = Math.max(0, untilSimSeconds - began.sim_s)
  const total = began.sim_s + 2 * lastsSeconds
  const first = createBuiltInWorld(options)
  follow(first, began.sim_s, hour, (seconds) => onProgress(seconds / total))
  const branch = branchPointOf(options, first.savedWorld())
  const begun = new Set<string>()
  const nameOf = ({ kind, entity, begin }: Pick<FaultTruth, 'kind' | 'entity' | 'begin'>): string =>
    `${kind} ${entity.name} ${begin.sim_s}`
  const run = (isActed: boolean, doneSeconds: number): HarmSample[] => {
    const truth = { wallOf: () => 0, onComplete: (fault: FaultTruth) => void begun.add(nameOf(fault)) }
    const world = continueFrom({ ...branch, options: { ...options, ...(isActed && { truth }) } })
    for (const { did, at, line } of actions) {
      const parsed = parseActionLine(line)
      if ((did === 'ordered' && !isActed) || 'problem' in parsed) continue
      world.actions.inject({ action: parsed.line.action, at: at.sim_s * second, label: '' })
    }
    const harm = [world.harm()]
    follow(world, lastsSeconds, minute, (seconds) => {
      harm.push(world.harm())
      if (seconds % hour === 0) onProgress((doneSeconds + seconds) / total)
    })
    for (const fault of world.openFaults()) begun.add(nameOf(fault))
    return harm
  }
  const acted = run(true, began.sim_s)
  const idle = run(false, began.sim_s + lastsSeconds)
  const own = faults.filter(({ begin }) => begin.sim_s >= began.sim_s)
  return { acted, idle, isExact: own.every((fault) => begun.has(nameOf(fault))) }
}

const hour = 3_600
