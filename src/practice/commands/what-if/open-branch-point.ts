/** The moment that a question is about: a saved world, or a new one after its warm-up. */
import type { Values } from '../../../options/command.ts'
import { OptionError } from '../../../options/parse-options.ts'
import { defaultSpeed } from '../../../contract/thresholds.ts'
import type { builtInWorldSettings } from '../own-world-settings.ts'
import { ownVersion } from '../../../process/version.ts'
import { processClock as clock } from '../../../process/clock.ts'
import { WarmUpCache } from '../../../sources/built-in/warm-up-cache.ts'
import { readSavedWorld } from '../../../sources/built-in/saved-session.ts'
import { readSessionFile } from '../../../store/read-session-file.ts'
import { branchPointOf } from '../../twins/branch-point.ts'
import type { BranchPoint } from '../../twins/branch-point.ts'
import { createBuiltInWorld } from '../../../world/built-in-world.ts'
import type { BuiltInWorldOptions } from '../../../world/built-in-world.ts'
import { listScenarios, shippedScenario } from '../../../world/scenario-language.ts'
import type { Logger } from '../../../command-line/logger.ts'
import { progressOf } from '../../../command-line/progress.ts'
import { resolveCache, resolveScenario, scenarioHash } from '../../../command-line/select-source.ts'

type WorldValues = Values<typeof builtInWorldSettings>

/** Continues the saved world of a session, whose file stays as it is. */
export function savedBranchPoint(path: string, origin: string, options: WorldValues): BranchPoint {
  const saved = savedWorldOf(path, origin)
  const { version, seed, scale, scenario } = saved.head
  if (version !== ownVersion())
    throw new OptionError(
      `${origin}: ${path} is of version ${version}, expected ${ownVersion()}: ask with the program that wrote it`,
    )
  const shipped = listScenarios().map(({ name }) => shippedScenario(name))
  const chosen = resolveScenario({ ...options, source: 'simulation', speed: null, blind: false })
  const known = [chosen.scenario, null, ...shipped].find(
    (candidate) => scenarioHash(candidate) === scenario.replace(/^blind ?/, ''),
  )
  if (known === undefined)
    throw new OptionError(
      `${origin}: the world of ${path} has a scenario of its own; name its file with --scenario`,
    )
  const hosts = Number(scale)
  return {
    options: {
      seed: BigInt(seed),
      scale: (Number.isNaN(hosts) ? scale : hosts) as BuiltInWorldOptions['scale'],
      speed: defaultSpeed,
      scenario: known,
      warmUpNs: chosen.warmupNs,
      blind: scenario.startsWith('blind'),
    },
    state: saved.state,
  }
}

function savedWorldOf(path: string, origin: string): ReturnType<typeof readSavedWorld> {
  try {
    return readSessionFile(path, readSavedWorld)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OptionError(
      `${origin}: cannot continue ${path}: ${reason}. A mirror writes it with --session-file`,
    )
  }
}

/** The end of a warm-up: of one that is kept, or of a new world. */
export function newBranchPoint(options: WorldValues, log: Logger): BranchPoint {
  const all = { ...options, source: 'simulation', speed: null, blind: false } as const
  const choice = resolveScenario(all)
  const { scenario, warmupNs } = choice
  const { seed, scale } = options
  const world = { seed, scale, scenario, speed: defaultSpeed, warmUpNs: warmupNs }
  const spec = resolveCache(all, choice, '')
  const kept = spec && new WarmUpCache({ spec, warmupNs, clock, report: () => {} }).find()
  if (kept !== null) return branchPointOf(world, kept.world)
  const running = createBuiltInWorld(world)
  const onProgress = progressOf(log, 'The world warms up')
  while (running.nowNs < warmupNs) {
    running.step()
    onProgress(Number(running.nowNs) / Number(warmupNs))
  }
  return branchPointOf(world, running.savedWorld())
}
