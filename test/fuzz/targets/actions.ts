/** Command lines, and actions files with lines that are torn, binary, deep or huge: every line is answered, or summed up. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ActionsFile } from '../../../src/sources/built-in/actions-file.ts'
import { actionNames } from '../../../src/world/scenarios/parse-action.ts'
import { MirrorProcess } from '../../fixtures/mirror-process.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { commandLineFaults } from '../command-lines.ts'
import { damages, randomBytes } from '../damaged-bytes.ts'
import { stackTraces } from '../target.ts'
import type { Observe, OpenTarget } from '../target.ts'

/** The interval of files that a running mirror reads. */
const processEvery = 2_000
const answerMaxMs = 30_000
const problemsShownMax = 5

const kinds = 'Host Switch Gateway Rack Zone Customer Link Appliance Nothing __proto__'.split(' ')
const values = [
  ...'1 -1 1e999 9007199254740993 null [] {} true "" "2h" "99999999h" "-1s" "random"'.split(' '),
  ...'{"kind":"Host","id":1} "\\ud800" "x'.split(' '),
]
const keys = [
  ...'do target for at magnitude class id pick count share role order on __proto__'.split(' '),
  '',
]

const validLine = (random: SeededRandom): string =>
  `{"do":"HostFailure","target":{"kind":"Host","id":${1 + random.below(6)}}${random.oneIn(4) ? ',"at":"90000h"' : ''}}`

function plausibleLine(random: SeededRandom): string {
  const members = Array.from(
    { length: random.below(5) },
    () => `"${random.pick(keys)}":${random.pick(values)}`,
  )
  const target = `{"kind":"${random.pick(kinds)}",${random.pick(['"id":1', '"pick":"random"', '"share":2', '"role":"core"'])}}`
  return `{${[`"do":"${random.pick(actionNames)}"`, `"target":${target}`, ...members].join(',')}}`
}

const orderLine = (random: SeededRandom): string =>
  `{"order":${random.pick(['"replace disk"', ...values])},"on":${random.pick(values)}}`

const lines: readonly ((random: SeededRandom) => Buffer | string)[] = [
  validLine,
  validLine,
  plausibleLine,
  plausibleLine,
  orderLine,
  (random) => random.pick(damages).apply(random, Buffer.from(validLine(random))),
  (random) => random.pick(damages).apply(random, Buffer.from(plausibleLine(random))),
  (random) => randomBytes(random, random.below(100)),
  (random) => '[{'.charAt(random.below(2)).repeat(10 ** (1 + random.below(4))),
  (random) => '{"do":'.repeat(10 ** (1 + random.below(3))),
  (random) => `{"do":"${'x'.repeat(10 ** (1 + random.below(5)))}"}`,
  (random) => random.pick(['', ' ', '\r', '//', '/* ', '\ufeff', '\u2028', 'null', '1', '"']),
]

function hostileFile(random: SeededRandom): Buffer {
  const count = random.below(random.oneIn(20) ? 60 : 8)
  const pieces = Array.from({ length: count }, () => Buffer.from(random.pick(lines)(random)))
  const bytes = Buffer.concat(pieces.flatMap((piece) => [piece, Buffer.from('\n')]))
  return random.oneIn(3) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes
}

/** The outcome of reading a file. */
interface Reading {
  /** Lines of the file whose actions were taken over, by their numbers. */
  readonly injected: string[]
  readonly reports: string[]
}

/** Reads a file as it grows by pieces, like a mirror that looks at it now and then. */
function readInPieces(path: string, pieces: readonly Buffer[]): Reading {
  const reading: Reading = { injected: [], reports: [] }
  writeFileSync(path, '')
  const file = new ActionsFile({
    path,
    now: () => 0,
    speed: 60,
    log: null,
    report: (isProblem, message) => reading.reports.push(`${isProblem ? 'problem: ' : ''}${message}`),
    actions: {
      state: { origin: 0, waiting: [], aftermath: { drains: [] } as never, cursor: { taken: 0, seen: null } },
      inject: ({ label }) => reading.injected.push(label),
      onCarriedOut: () => {},
    },
  })
  file.open()
  for (const piece of pieces) {
    appendFileSync(path, piece)
    file.poll()
  }
  return reading
}

function readingFaults({ injected, reports }: Reading, bytes: Buffer, observe: Observe): string[] {
  const expected = bytes
    .toString()
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.trim() !== '').length
  const texts = reports.map(observe)
  const problems = texts.filter((text) => text.startsWith('problem: '))
  const described = problems.filter((text) => text.endsWith(' The line is left out.'))
  const more = problems.map((text) =>
    Number(/: (\d+) more lines? (?:is|are) left out, too\.$/.exec(text)?.[1] ?? 0),
  )
  const answered = injected.length + described.length + more.reduce((sum, count) => sum + count, 0)
  return [
    ...(answered === expected ? [] : [`${expected} lines, ${answered} of them answered`]),
    ...(described.length <= problemsShownMax ? [] : ['too many lines are described']),
    ...texts.filter((text) => text.length > 1_000).map((text) => `long: ${text.slice(0, 200)}`),
  ]
}

/** A mirror whose actions file gets hostile lines, and then one that it has to answer. */
async function processFaults(
  mirror: MirrorProcess,
  path: string,
  bytes: Buffer,
  number: number,
): Promise<string[]> {
  appendFileSync(path, Buffer.concat([Buffer.from('\n'), bytes, Buffer.from(`\n"case ${number}"\n`)]))
  const deadlineMs = Date.now() + answerMaxMs
  const isAnswered = (): boolean => /\d+ more lines are left out|The line is left out/.test(mirror.log)
  while (mirror.isRunning && !isAnswered() && Date.now() < deadlineMs) await pause(50)
  const { status } = await fetch(`${mirror.origin}/health`)
  return [
    ...(status === 200 ? [] : [`/health has status ${status}`]),
    ...(isAnswered() ? [] : ['the mirror says nothing of the lines']),
    ...(/[^\n\P{Cc}]/u.test(mirror.log) ? ['the log has control characters'] : []),
    ...stackTraces(mirror.log),
  ]
}

export const openActions: OpenTarget = async (_seed, observe) => {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-actions-'))
  const path = join(folder, 'actions.jsonl')
  const running = join(folder, 'running.jsonl')
  const mirror = await MirrorProcess.start(['--scale=6', '--warmup=0s', '--actions', running])
  return {
    lanes: 1,
    async run({ number, random }) {
      const bytes = hostileFile(random)
      if (number % processEvery === processEvery - 1) {
        mirror.log = ''
        return processFaults(mirror, running, bytes, number)
      }
      const whole = readInPieces(path, [bytes])
      const found = [...readingFaults(whole, bytes, observe), ...commandLineFaults(random, observe)]
      if (!random.oneIn(4)) return found
      const at = random.below(bytes.length + 1)
      const torn = readInPieces(path, [bytes.subarray(0, at), bytes.subarray(at)])
      if (String(torn.injected) !== String(whole.injected)) found.push('a file that grows is read otherwise')
      return found
    },
    close: async () => {
      await mirror.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
