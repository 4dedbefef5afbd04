/** Which world a command was asked for, by the settings that several commands share. */
import { readFileSync } from 'node:fs'
import { chooseCollectors } from '../metrics/collectors.ts'
import type { CollectorName } from '../metrics/collectors.ts'
import type { Values } from '../options/command.ts'
import { OptionError } from '../options/read.ts'
import { usualWarmupNs } from '../options/world-settings.ts'
import type { worldSettings } from '../options/world-settings.ts'
import { parseScenario } from '../simulation/scenarios/parse-scenario.ts'
import type { Scenario } from '../simulation/scenarios/scenario.ts'
import { listScenarios, shippedScenario } from '../simulation/scenarios/shipped.ts'

const nsAMicrosecond = 1000n

/** A scenario by its name or out of a file, or what is wrong with it. */
function readScenario(nameOrFile: string): Scenario | null | string {
  if (nameOrFile === '') return null
  const shipped = shippedScenario(nameOrFile)
  if (shipped !== null) return shipped
  let text
  try {
    text = readFileSync(nameOrFile, 'utf8')
  } catch (error) {
    const names = listScenarios().map(({ name }) => name)
    const why = error instanceof Error ? error.message : String(error)
    return `${why}; expected a readable file or one of ${names.join(', ')}`
  }
  const reading = parseScenario(text)
  if ('scenario' in reading) return reading.scenario
  const { line, column, message } = reading.problem
  return `${nameOrFile}, line ${line}, column ${column}: ${message}`
}

const complaintAbout =
  (read: (text: string) => unknown) =>
  (text: string): string | null => {
    const outcome = read(text)
    return typeof outcome === 'string' ? outcome : null
  }

export const complaints = {
  scenario: complaintAbout(readScenario),
  collectors: complaintAbout(chooseCollectors),
}

/** What was read without complaint before. */
function sound<T>(outcome: T | string): T {
  if (typeof outcome === 'string') throw new OptionError(outcome)
  return outcome
}

export interface WorldChoice {
  readonly scenario: Scenario | null
  /** Simulated time that passes before the first publish. */
  readonly warmupNs: bigint
}

/** The scenario and the warm-up that suits it. */
export function chooseWorld({ scenario, warmup }: Values<typeof worldSettings>): WorldChoice {
  const chosen = sound(readScenario(scenario))
  const suited = chosen?.warmup ?? null
  const suitedNs = suited === null ? usualWarmupNs : BigInt(suited) * nsAMicrosecond
  return { scenario: chosen, warmupNs: warmup ?? suitedNs }
}

export const collectorsOf = (list: string): readonly CollectorName[] => sound(chooseCollectors(list))
