/** Hostile command lines, and damaged answers to cases: each has one sentence. */
import { readCaseAnswers } from '../../src/practice/cases/answers.ts'
import { commandsByName } from '../options/declared-commands.ts'
import { environmentVariable } from '../../src/options/command.ts'
import { OptionError, parseCommand } from '../../src/options/parse-options.ts'
import { actionLineOf, actionRules } from '../../src/world/scenario-language.ts'
import type { SeededRandom } from '../fixtures/seeded-random.ts'
import { damages, randomBytes } from './damaged-bytes.ts'
import type { Observe } from './target.ts'

const commands = Object.values(commandsByName)
const flags = [...new Set(commands.flatMap(({ settings }) => Object.keys(settings)))]
const values = '0 -1 1e9 2h 0s yes none small . , own,,petshop __proto__'
  .split(' ')
  .concat(['', '\u{d800}', '\n'])

const keywords = 'zone side id count share magnitude for at core busiest A B repair replace filter'
const actionWords = [...Object.keys(actionRules), ...keywords.split(' ')]

function valueOf(random: SeededRandom): string {
  if (random.oneIn(6)) return randomBytes(random, random.below(40)).toString('latin1')
  if (random.oneIn(20)) return random.pick(values).repeat(5_000)
  return random.oneIn(3) ? random.pick(actionWords) : random.pick(values)
}

function wordOf(random: SeededRandom): string {
  const flag = `--${random.oneIn(8) ? valueOf(random) : random.pick(flags)}`
  if (random.oneIn(3)) return valueOf(random)
  return random.oneIn(2) ? flag : `${flag}=${valueOf(random)}`
}

const some = (random: SeededRandom, most: number, one: (random: SeededRandom) => string): string[] =>
  Array.from({ length: random.below(most + 1) }, () => one(random))

const sentenceMax = 1_000
const sentenceFaults = (what: string, text: string): string[] =>
  text.length > 0 && text.length <= sentenceMax
    ? []
    : [`${what}: a message of ${text.length} characters, ${text.slice(0, 200)}`]

function parseFaults(random: SeededRandom, observe: Observe): string[] {
  const command = random.pick(commands)
  const words = some(random, 6, wordOf)
  const variables = some(random, 2, () => environmentVariable(random.pick(flags)))
  const environment = Object.fromEntries(variables.map((name) => [name, valueOf(random)]))
  try {
    parseCommand(command, words, environment)
    return []
  } catch (error) {
    if (error instanceof OptionError) return sentenceFaults('command line', observe(error.message))
    return [`command line ${JSON.stringify([command.name, ...words]).slice(0, 300)}: ${String(error)}`]
  }
}

function actionFaults(random: SeededRandom, observe: Observe): string[] {
  const line = actionLineOf(some(random, 8, valueOf).join(' '))
  return 'problem' in line ? sentenceFaults('action', observe(line.problem)) : []
}

const lines = ['{"case":"1-0","entities":["a"],"kind":"CableCut","at_seconds":3,"path":["a","b"]}', 'null']

function fileFaults(random: SeededRandom, observe: Observe): string[] {
  const bytes = Buffer.from(some(random, 6, () => random.pick(lines)).join('\n'))
  const text = (random.oneIn(4) ? bytes : random.pick(damages).apply(random, bytes)).toString()
  try {
    const outcome: unknown = readCaseAnswers(text, () => true)
    return typeof outcome === 'string' ? sentenceFaults('answers', observe(outcome)) : []
  } catch (error) {
    return [`answers: ${String(error)} at ${JSON.stringify(text.slice(0, 300))}`]
  }
}

export const commandLineFaults = (random: SeededRandom, observe: Observe): string[] =>
  [parseFaults, actionFaults, fileFaults].flatMap((faultsOf) => faultsOf(random, observe))
