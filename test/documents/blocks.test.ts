import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileText } from '../containers/stack-file.ts'
import { isNight } from '../fixtures/seeds.ts'
import { hasTool } from '../fixtures/tools.ts'
import { blocks, commandsOf, fileOf, isShell } from './blocks.ts'
import type { Block } from './blocks.ts'
import { forgetReaders, Reader } from './reader.ts'

/** Small worlds that are ready soon. Flags in a block override these. */
const settings = { DCSIM_SCALE: 'small', DCSIM_WARMUP: '3h' }

/**
 * A block with one of these marks needs what the tests of blocks do not have, and is not run. Each has to occur in its
 * block; most are programs.
 */
const needs: Readonly<Record<string, RegExp>> = {
  docker: /\bdocker\b/,
  grafana: /dashboards\/import\.ts |^grafana |^gcx /m,
  cluster: /^(?:kubectl|helm|kind) /m,
  account: /\$GRAFANA_CLOUD_TOKEN/,
  long: /^npm run (?:bench|world) |--span 15d |cases --count /m,
  amtool: /^amtool /m,
  jb: /^jb /m,
  jsonnet: /^jsonnet /m,
  mimirtool: /^mimirtool /m,
  'otelcol-contrib': /^otelcol-contrib /m,
  telegraf: /^telegraf /m,
  thanos: /^thanos /m,
  vmalert: /^vmalert /m,
}
const stopMark = /^stop:(.+)$/

/** Pages whose blocks run by night: they compute for long, and need no other program. */
const byNight = new Set(['docs/formats/scenario.md', 'docs/library.md', 'docs/what-if.md'])

const needOf = ({ marks }: Block): string | undefined => marks.find((mark) => needs[mark] !== undefined)
const isRun = (block: Block): boolean => isShell(block) && needOf(block) === undefined
const place = ({ page, line }: Block): string => `${page}:${line}`

test('every mark of a block is known, and says what is in it', () => {
  const wrong = blocks.filter(isShell).filter((block) =>
    block.marks.some((mark) => {
      const need = needs[mark]
      if (need !== undefined) return !need.test(block.text)
      return !stopMark.test(mark) || !/\b(?:stop|stopped|Ctrl-C)\b/i.test(block.before)
    }),
  )
  expect(wrong.map(place)).toEqual([])
  expect(blocks.filter(isRun).length).toBeGreaterThan(30)
})

test('commands are in blocks of sh, which are run', () => {
  const isHidden = ({ language, text }: Block): boolean =>
    /^(?:bash|shell|console|zsh)$/.test(language) || (language === 'text' && /^echo | \\$/m.test(text))
  expect(blocks.filter(isHidden).map(place)).toEqual([])
})

const scripts = JSON.parse(fileText('package.json')).scripts as Record<string, string>

test('every script of npm on the pages is one of the package', () => {
  const named = blocks.filter(isShell).flatMap(({ text }) => Array.from(text.matchAll(/npm run ([\w:]+)/g)))
  const unknown = named.map(([, name]) => name).filter((name) => scripts[name] === undefined)
  expect(unknown).toEqual([])
  expect(named.length).toBeGreaterThan(5)
})

/** Parts of a block, and what it has to print. */
const results: readonly (readonly [part: RegExp, printed: RegExp])[] = [
  [/ act "/, /injected/],
  [/ status$/m, /\nLast:\n/],
  [/ report .*--prometheus \S+$/m, /alert rules? over/],
  [/ inspect /, / sound\n/],
  [/^curl [^>]*$/m, /\S/],
  [/\/tables\/rack\?/, /"u":1,[^\n]*\}\]/],
]

/** Its exit code says whether all of a world is shown. */
const isCheck = /^bin\/dcsim-mirror check \S+$/

/** Pages whose blocks need other programs are skipped where one is missing, as all tests are. */
const tools = ['prometheus', 'promtool', 'victoria-metrics', 'vmagent'] as const
const toolsOf = (block: Block): string[] =>
  tools.filter((tool) => commandsOf(block).some((command) => new RegExp(`(?:^|do )${tool} `).test(command)))
const isMissing = (block: Block): boolean => toolsOf(block).some((tool) => !hasTool(tool))

const isServing = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('close', () => socket.destroy())
    setTimeout(() => socket.destroy(), 200)
  })

beforeAll(async () => {
  for (const port of [9740, 9741, 9090, 8428])
    if (await isServing(port))
      throw new Error(`Port ${port} is in use: the blocks are run as they stand, on their own ports.`)
})

const table: string[] = []
afterAll(() => {
  forgetReaders()
  const file = process.env['DCSIM_BLOCKS_TABLE']
  if (file === undefined) return
  writeFileSync(file, `| Where | Commands | Result | Time |\n| --- | --- | --- | --- |\n${table.join('')}`)
})

const start = blocks.find((block) => isRun(block) && /^bin\/dcsim-mirror$/m.test(block.text))!

for (const [page, own] of Map.groupBy(blocks, (block) => block.page)) {
  const shown = own.filter(isRun)
  if (shown.length === 0 || byNight.has(page) !== isNight) continue
  describe(`the blocks of ${page}`, () => {
    let reader: Reader

    beforeAll(async () => {
      reader = new Reader(settings)
      for (const block of own.toReversed()) save(block)
      if (page !== start.page && !reader.hasPackages) await reader.run('npm ci')
    })
    afterAll(() => reader.leave())

    function save(block: Block): void {
      const file = fileOf(block)
      if (file !== null) reader.save(file, block.text)
    }

    test.each(shown.map((block) => [block.line, commandsOf(block)[0], block] as const))(
      'line %d: %s',
      async (line, _, block) => {
        if (isMissing(block)) return
        own.filter((other) => other.line < line).forEach(save)
        for (const mark of block.marks) {
          const [, program] = stopMark.exec(mark)!
          expect(await reader.interrupt(program)).toEqual([0])
        }
        const needsMirror = /127\.0\.0\.1:9740|dcsim-mirror (?:act "|status)|^vmagent|=prometheus\.yml/m.test(
          block.text,
        )
        if (needsMirror && !reader.runs('bin/dcsim-mirror')) await reader.run('bin/dcsim-mirror')
        const began = Date.now()
        const { output, code } = await reader.run(block.text)
        const seconds = ((Date.now() - began) / 1000).toFixed(1)
        const commands = commandsOf(block).join('<br>').replaceAll('|', '\\|')
        const result = code === null ? 'runs' : code === 0 ? 'works' : `exit code ${code}`
        table.push(`| ${page}:${line} | ${commands} | ${result} | ${seconds} s |\n`)
        const missing = results.filter(([part, printed]) => part.test(block.text) && !printed.test(output))
        const problems = missing.map(([, printed]) => `prints nothing like ${String(printed)}`)
        if (code !== null && code !== 0 && !isCheck.test(block.text.trim()))
          problems.push(`ends with ${code}`)
        expect(problems.map((problem) => `${place(block)} ${problem}:\n${output}`)).toEqual([])
      },
      600_000,
    )
  })
}
