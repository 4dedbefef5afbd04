/** Measures a scrape and a page of the mirror beside what a user would take instead, each in a process of its own. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import packageJson from '../../../package.json' with { type: 'json' }
import { commandLine, numberFrom } from '../../fixtures/command-line.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { digits } from '../harness/finding.ts'
import { contenders, own } from './contenders.ts'
import { lengthOf, measureInTurns } from './measure.ts'
import type { Question } from './measure.ts'
import { endChildrenAtExit, residentMibOf, startServer, textOf } from './processes.ts'
import type { Server } from './processes.ts'
import { costCells, costHeads, markdownTable, scrapeCells, scrapeHeads, seriesOf } from './table.ts'

const usage = `Usage: npm run node test/bench/side-by-side/main.ts -- [--hosts N] [--rounds N] [--write FILE]
  --hosts N     Hosts of the world, each with about 68 series. (default: 1480)
  --rounds N    Rounds in which each server is asked. (default: 15)
  --write FILE  Writes the tables there, as a page of the docs.`

const { values } = commandLine(usage, {
  options: {
    hosts: { type: 'string', default: '1480' },
    rounds: { type: 'string', default: '15' },
    write: { type: 'string' },
  },
})
const hosts = numberFrom(usage, '--hosts', values.hosts, 1)
const rounds = numberFrom(usage, '--rounds', values.rounds, 1)
const pagePath = '/api/v1/hosts?limit=1000'
/** A turn has as many plain requests as take this long, and one of gzip, as the mirror compresses a publish once. */
const plainTurnMs = 400
const requestsMax = 30
const loadBefore = loadavg()[0]
const folder = mkdtempSync(join(tmpdir(), 'dcsim-side-by-side-'))
endChildrenAtExit()
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const started: { name: string; version: string; server: Server }[] = []
const missing: string[][] = []
const world = { folder, hosts, series: 0 }
for (const [name, { version: versionOrAsk, seriesMin, command }] of Object.entries(contenders)) {
  console.error(`${name} …`)
  try {
    const version = typeof versionOrAsk === 'string' ? versionOrAsk : await versionOrAsk()
    const port = await freePort()
    const isReady = (text: string): boolean => seriesOf(text) >= seriesMin(world)
    const server = await startServer(await command(world, port), port, '/metrics', isReady)
    started.push({ name, version, server })
    if (world.series > 0) continue
    // The first is the mirror: what it serves, the others get as files.
    const paths = { 'world.prom': '/metrics', 'page.json': pagePath, 'openapi.json': '/openapi.json' }
    for (const [file, path] of Object.entries(paths))
      writeFileSync(join(folder, file), await textOf(server, path))
    world.series = seriesOf(await textOf(server, '/metrics'))
  } catch (error) {
    const { message } = error as Error
    if (started.length === 0) throw error
    console.error(`  not measured: ${message}`)
    missing.push([name, `not measured: ${message}`, ...scrapeHeads.map(() => '–'), '–', '–'])
  }
}

/** Plain requests, as many as fit into a turn. */
async function plainOf(server: Server, path: string): Promise<Question> {
  const one = { server, path, encoding: 'identity', requests: 1 } as const
  // The fastest of a few: a busy machine delays some of them.
  let fastestMs = plainTurnMs
  for (let count = 0; count < 5; count++) {
    const beganMs = performance.now()
    await lengthOf(one)
    fastestMs = Math.min(fastestMs, performance.now() - beganMs)
  }
  const fitting = Math.floor(plainTurnMs / fastestMs)
  return { ...one, requests: Math.min(Math.max(fitting, 1), requestsMax) }
}

const scrapes = []
for (const each of started) {
  const plain = await plainOf(each.server, '/metrics')
  const gzip: Question = { ...plain, encoding: 'gzip', requests: 1 }
  scrapes.push({ ...each, plain, gzip: (await lengthOf(gzip)) === null ? null : gzip })
}
const port = await freePort()
const files = ['page.json', 'openapi.json'].map((name) => join(folder, name))
const server = await startServer(own('pages', port, ...files), port, '/plain')
const fastify = packageJson.dependencies.fastify
const pages = [
  { ...started[0], question: await plainOf(started[0].server, pagePath) },
  { name: 'Fastify', version: fastify, question: await plainOf(server, '/plain') },
  {
    name: 'Fastify with a schema of the response',
    version: fastify,
    question: await plainOf(server, '/schema'),
  },
]

const questions = [
  ...scrapes.map(({ plain }) => plain),
  ...scrapes.map(({ gzip }) => gzip),
  ...pages.map(({ question }) => question),
]
const { costOf, idleMsPerSecond } = await measureInTurns(
  questions.filter((question) => question !== null),
  rounds,
  (round) => console.error(round < 1 ? '  warming up' : `  round ${round} of ${rounds}`),
)

const scrapeRows: string[][] = []
for (const { name, version: found, server: scraped, plain, gzip } of scrapes) {
  const series = seriesOf(await textOf(scraped, '/metrics'))
  const cells = scrapeCells(series, costOf(plain), gzip === null ? null : costOf(gzip))
  scrapeRows.push([
    name,
    found,
    ...cells,
    digits(idleMsPerSecond(scraped, 'all')),
    residentMibOf(scraped).toFixed(0),
  ])
}
const pageRows = pages.map((page) => [page.name, page.version].concat(costCells(costOf(page.question))))
const remarks = Object.entries(contenders).map(([name, { remark }]) => `- ${name}: ${remark}.`)
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const text = `# Side by side

Written by \`npm run node test/bench/side-by-side/main.ts -- --write docs/measured/side-by-side.md\`: ${rounds} rounds of commit ${commit} on ${new Date().toISOString().slice(0, 10)},
Node ${process.versions.node}, ${cpus().length} × ${cpus()[0].model.trim()}, load ${loadBefore.toFixed(1)} before and ${loadavg()[0].toFixed(1)} after. [Performance](../performance.md) says what follows.

All servers run at once and are asked in turns of whole seconds. Values are medians with quartiles. Processor time is that of all
threads of a process in its turn, minus its time in the turns of others, which is "Besides"; the thread of the mirror's world, which
no request uses, counts in "Besides" only. Wall time includes the client, on the same machine, and other work there.

## A scrape

${markdownTable(['Server', 'Version', ...scrapeHeads, 'Besides: CPU ms a second', 'Memory, MiB'], [...scrapeRows, ...missing])}
What each is, and does besides:

${remarks.join('\n')}

## A page of 1,000 records

The hosts of the same world, not compressed. Fastify has them as objects.

${markdownTable(['Server', 'Version', ...costHeads], pageRows)}`
console.log(text)
if (values.write !== undefined) writeFileSync(values.write, text)
process.exit()
