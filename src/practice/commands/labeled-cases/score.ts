/** Scores answers to labeled cases, beside those of trivial rules. */
import { readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { parsedJson, readCaseAnswers } from '../../cases/answers.ts'
import type { Answer } from '../../cases/answers.ts'
import { baselines, readTable } from '../../cases/baselines.ts'
import { caseTiers } from '../../cases/make.ts'
import { scoreAnswers, scoreTable } from '../../cases/score.ts'
import type { NamedTruth } from '../../cases/score.ts'
import { readTextFile } from '../../../files/regular-file.ts'
import { systemErrorText } from '../../../files/system-error.ts'
import { commonInfoFlags } from '../../../options/command.ts'
import { OptionError } from '../../../options/parse-options.ts'
import { scoreSettings } from '../own-world-settings.ts'
import { commandFrom } from '../../../command-line/command-line.ts'

export const scoreCommand = {
  name: 'score',
  usage: 'score [OPTIONS]',
  summary: 'Scores answers to labeled cases by the truth, beside the scores of trivial rules.',
  settings: scoreSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror score --cases bench/ --answers answers.jsonl'],
} as const

const fileBytesMax = 64 << 20

type Answers = Map<string, Answer>

export async function runScore(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(scoreCommand, words, environment)
  if (command === null) return
  const { cases: folder, answers: answersFile, split, format } = command.options
  const { cases: origin, answers: answersOrigin } = command.origins
  const all = readTruths(folder, origin)
  const truths = all.filter((truth) => split === 'all' || truth.split === split)
  if (truths.length === 0) throw new OptionError(`${origin}: ${folder} has no case of the split ${split}`)
  const sets = new Map<string, Answers>()
  if (answersFile !== '') {
    const known = new Set(all.map((truth) => truth.case))
    const answers = readCaseAnswers(read(answersFile, answersOrigin), (name) => known.has(name))
    if (typeof answers === 'string') throw new OptionError(`${answersOrigin}: ${answersFile}, ${answers}`)
    sets.set(basename(answersFile, extname(answersFile)), answers)
  }
  for (const [name, answers] of baselineAnswers(folder, origin, truths)) sets.set(name, answers)
  const scores = [...sets].flatMap(([by, answers]) =>
    [...caseTiers, 'all'].flatMap((tier) => {
      const ofTier = truths.filter((truth) => tier === 'all' || truth.tier === tier)
      return ofTier.length === 0 ? [] : [{ by, ...scoreAnswers(tier, ofTier, answers) }]
    }),
  )
  console.log(format === 'json' ? JSON.stringify(scores, null, 2) : scoreTable(scores, format === 'markdown'))
}

/** Table by table, so that only one is in memory. */
function baselineAnswers(
  folder: string,
  origin: string,
  truths: readonly NamedTruth[],
): Map<string, Answers> {
  const rules = Object.entries(baselines)
  const sets = new Map<string, Answers>(rules.map(([name]) => [name, new Map()]))
  const correlator: Answers = new Map()
  for (const { case: name, suspects } of truths) {
    const table = readTable(read(join(folder, 'cases', name, 'metrics.csv'), origin))
    for (const [rule, diagnose] of rules) sets.get(rule)!.set(name, { case: name, ...diagnose(table) })
    const entities = [...new Set(suspects.map(({ entity }) => entity))]
    correlator.set(name, { case: name, entities, ...(suspects.length > 0 && { kind: suspects[0].kind }) })
  }
  return sets.set('own correlator', correlator)
}

function read(path: string, origin: string): string {
  try {
    return readTextFile(path, fileBytesMax)
  } catch (error) {
    throw new OptionError(
      `${origin}: cannot read ${path}: ${systemErrorText(error)}; the command cases writes it`,
    )
  }
}

function readTruths(folder: string, origin: string): NamedTruth[] {
  const truthFolder = join(folder, 'truth')
  let names: string[]
  try {
    names = readdirSync(truthFolder).toSorted()
  } catch (error) {
    throw new OptionError(
      `${origin}: cannot read ${truthFolder}: ${systemErrorText(error)}; the command cases writes it`,
    )
  }
  return names.map((name) => {
    const path = join(truthFolder, name, 'truth.json')
    const truth = parsedJson(read(path, origin)) as Partial<NamedTruth> | null
    const lists = [truth?.faults, truth?.customers, truth?.suspects]
    if (truth?.case === name && lists.every(Array.isArray)) return truth as NamedTruth
    throw new OptionError(
      `${origin}: ${path} is no truth about the case ${name}, as the command cases writes it`,
    )
  })
}
