/** Writes labeled cases for tools that look for root causes. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataCard } from '../../cases/data-card.ts'
import {
  caseNamed,
  casesPerWorldMax,
  drawCase,
  drawCases,
  nameOfCase,
  splitOf,
  splits,
} from '../../cases/draw.ts'
import type { CaseName } from '../../cases/draw.ts'
import type { Case } from '../../cases/make.ts'
import { openRcaHeads, writeCase } from '../../cases/forms.ts'
import type { WrittenCase } from '../../cases/forms.ts'
import { systemErrorText } from '../../../files/system-error.ts'
import { commonInfoFlags } from '../../../options/command.ts'
import type { Values } from '../../../options/command.ts'
import { OptionError } from '../../../options/parse-options.ts'
import { casesSettings } from '../own-world-settings.ts'
import { ownVersion } from '../../../process/version.ts'
import { processClock as clock } from '../../../process/clock.ts'
import { counted } from '../../../words/phrases.ts'
import { commandFrom } from '../../../command-line/command-line.ts'
import { writeTextFile } from '../../../command-line/files/write-text-file.ts'
import { Logger } from '../../../command-line/logger.ts'
import { progressOf } from '../../../command-line/progress.ts'

export const casesCommand = {
  name: 'cases',
  usage: 'cases [OPTIONS]',
  summary:
    'Writes labeled cases: metrics, logs and topology of two hours in which something breaks, or nothing does, and ' +
    'beside them the truth: root cause, effects and the path to customers, from a second world without the fault.',
  settings: casesSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror cases --count 200 --out bench/'],
} as const

type Options = Values<typeof casesSettings>

export async function runCases(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(casesCommand, words, environment)
  if (command === null) return
  const { options, origins } = command
  const only = options.only === '' ? null : caseNamed(options.only)
  if (options.only !== '' && only === null)
    throw new OptionError(
      `${origins.only}: expected the seed of a world and a number below ${casesPerWorldMax}, such as 1000-3, got ${JSON.stringify(options.only)}`,
    )
  if (only === null) return writeAll(options, origins.out)
  const { outcome } = drawCase(only, options.scale)
  if (typeof outcome === 'string')
    throw new OptionError(`${origins.only}: ${options.only} is no case: ${outcome}`)
  writeOne(outcome, only, options, origins.out)
}

function write({ out }: Options, origin: string, path: string, text: string): void {
  const file = join(out, path)
  try {
    mkdirSync(dirname(file), { recursive: true })
  } catch (error) {
    throw new OptionError(`${origin}: cannot create ${dirname(file)}: ${systemErrorText(error)}`)
  }
  const problem = writeTextFile(file, text)
  if (problem !== null) throw new OptionError(`${origin}: ${problem}`)
}

function writeOne(content: Case, name: CaseName, options: Options, origin: string): WrittenCase {
  const { scale, forms } = options
  const command = `dcsim-mirror cases --scale ${scale} --forms ${forms.join(',')} --only ${nameOfCase(name)} --out DIR`
  const written = writeCase(content, name, command, forms)
  for (const [path, text] of written.files) write(options, origin, path, text)
  return written
}

/** Candidates for each case that is wanted, after which it is given up. */
const candidatesPerCaseMax = 100

const count = (counts: Map<string, number>, name: string): unknown =>
  counts.set(name, (counts.get(name) ?? 0) + 1)

function writeAll(options: Options, origin: string): void {
  const { count: wanted, seed, scale, out, forms } = options
  if (existsSync(join(out, 'truth')))
    throw new OptionError(
      `${origin}: ${out} has cases already, which would be scored with these; name another`,
    )
  const log = new Logger({ level: 'info', out: process.stderr })
  const [tiers, kinds, discarded] = [0, 1, 2].map(() => new Map<string, number>())
  const names = Object.fromEntries(splits.map((split) => [split, [] as string[]]))
  let { records, query } = openRcaHeads
  const startedMs = clock.nowMs()
  const onProgress = progressOf(log, 'Writing cases')
  let [written, drawn] = [0, 0]
  for (const candidate of drawCases(seed, scale)) {
    const { outcome } = candidate
    if (++drawn > candidatesPerCaseMax * wanted)
      throw new OptionError(
        `gave up after ${written} cases of ${drawn} candidates; choose another --seed or --scale`,
      )
    if (typeof outcome === 'string') {
      count(discarded, outcome)
      continue
    }
    const { openRca } = writeOne(outcome, candidate, options, origin)
    records += openRca.records
    query += openRca.query
    names[splitOf(candidate.seed)].push(nameOfCase(candidate))
    count(tiers, outcome.truth.tier)
    for (const { kind } of outcome.truth.faults) count(kinds, kind)
    written++
    onProgress(written / wanted)
    if (written >= wanted) break
  }
  const command = `dcsim-mirror cases --count ${wanted} --seed ${seed} --scale ${scale} --forms ${forms.join(',')} --out DIR`
  write(options, origin, 'splits.json', `${JSON.stringify(names, null, 1)}\n`)
  write(options, origin, 'README.md', dataCard({ version: ownVersion(), command, tiers, kinds, discarded }))
  if (forms.includes('openrca')) {
    write(options, origin, 'openrca/record.csv', records)
    write(options, origin, 'openrca/query.csv', query)
  }
  log.endProgress()
  log.info(
    `Wrote ${counted(written, 'case')} to ${out} in ${Math.round((clock.nowMs() - startedMs) / 1000)} s.`,
  )
}
