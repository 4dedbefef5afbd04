import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { MissingProgram, type Row } from '../harness/finding.ts'
import { estimateOf } from '../harness/statistics.ts'
import { nowMs, takeTurns } from '../harness/turns.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { processorMs } from '../support/process-usage.ts'

const base = 'node:24-bookworm-slim'
const built = 'dcsim-mirror:bench'
const project = fileURLToPath(new URL('../../..', import.meta.url))
const withinMs = 60_000
const bytesPerMib = 2 ** 20

const run = promisify(execFile)
const docker = async (...words: readonly string[]): Promise<string> =>
  (await run('docker', words)).stdout.trim()
const sizeOf = async (image: string): Promise<number> =>
  Number(await docker('image', 'inspect', '--format', '{{.Size}}', image))

/** Milliseconds of processor time that a container takes from `docker run` to its first answer. */
async function coldStart(image: string, commandAt: (port: number) => readonly string[]): Promise<number> {
  const port = await freePort()
  const beganMs = nowMs()
  const container = await docker('run', '--detach', '--rm', '--network=host', image, ...commandAt(port))
  try {
    while (nowMs() < beganMs + withinMs) {
      const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null)
      await answer?.arrayBuffer()
      if (answer?.ok === true)
        return processorMs(Number(await docker('inspect', '--format', '{{.State.Pid}}', container)))
      await pause(5)
    }
    throw new Error(`${image} did not answer within ${withinMs / 1_000} s.`)
  } finally {
    await docker('kill', container)
  }
}

const oneLine = (port: number): string[] => [
  'node',
  '--eval',
  `require('node:http').createServer((_, response) => response.end('{}')).listen(${port}, '127.0.0.1')`,
]
const service = (port: number): string[] => ['node', 'src/main.ts', '--listen', `127.0.0.1:${port}`]

const image: Row = {
  name: 'image',
  async measure(progress) {
    if (spawnSync('docker', ['image', 'inspect', base]).status !== 0)
      throw new MissingProgram(`docker or its image ${base} is not there.`)
    progress('building the image')
    await docker('build', '--quiet', '--network=host', '--tag', built, project)
    const [own, bare] = [await sizeOf(built), await sizeOf(base)]
    progress('starting it and a server of a line in its base image, in turns')
    const turns = await takeTurns(
      {
        service: { run: () => coldStart(built, service) },
        bare: { run: () => coldStart(base, oneLine) },
      },
      { rounds: 11, warmUps: 1, clock: 'wall' },
    )
    const finding = { unit: 'of it', better: 'lower', aim: null } as const
    return [
      {
        ...finding,
        part: 'size',
        measured: 'size of the image',
        against: `its base, ${base}`,
        ...estimateOf([own / bare]),
        floor: 1.2,
        medians: `${(own / bytesPerMib).toFixed(0)} MiB : ${(bare / bytesPerMib).toFixed(0)} MiB`,
      },
      {
        ...finding,
        part: 'cold-start',
        measured: 'processor time from `docker run` to the first answer of /health',
        against: 'a node:http server of one line in its base image',
        ...turns.ratio('service', 'bare'),
        floor: 10.5,
        medians: `${turns.median('service').toFixed(0)} ms : ${turns.median('bare').toFixed(0)} ms`,
      },
    ]
  },
}

export const images: readonly Row[] = [image]
