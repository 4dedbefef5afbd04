import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../fixtures/free-port.ts'
import type { Row } from '../harness/finding.ts'
import { takeTurns } from '../harness/turns.ts'
import { processorMs } from '../support/service.ts'

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const withinMs = 180_000
const bare = `require('node:http').createServer((_, response) => response.end('{}')).listen(+process.argv[1], '127.0.0.1')`

const isAnswered = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (answer) => (await answer.arrayBuffer(), answer.ok),
    () => false,
  )

/** Milliseconds of processor time from a program's start to its first response. */
async function untilAnswer(wordsAt: (port: number) => readonly string[], path: string): Promise<number> {
  const port = await freePort()
  const endMs = performance.now() + withinMs
  const child = spawn(process.execPath, wordsAt(port), { stdio: 'ignore' })
  const exited = once(child, 'exit')
  try {
    while (!(await isAnswered(`http://127.0.0.1:${port}${path}`))) {
      if (performance.now() > endMs || child.exitCode !== null) throw new Error('The program did not answer.')
      await pause(2)
    }
    return processorMs(child.pid!)
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}

export const start: Row = {
  name: 'start-hosts',
  async measure(progress) {
    progress('the service and a bare server, one start each, in turns')
    const serviceAt = (port: number): string[] => [main, '--listen', `127.0.0.1:${port}`, '--warmup', '0s']
    const turns = await takeTurns(
      {
        hosts: { run: () => untilAnswer(serviceAt, '/api/v1/hosts') },
        bare: { run: () => untilAnswer((port) => ['--eval', bare, String(port)], '/health') },
      },
      { rounds: 11, warmUps: 1, clock: 'wall' },
    )
    return [
      {
        row: 'start-hosts',
        measured: 'processor time from start to the first page of 120 hosts, no warm-up',
        against: 'a node:http server of one line',
        ...turns.ratio('hosts', 'bare'),
        unit: 'of it',
        better: 'lower',
        floor: 18,
        medians: `${turns.median('hosts').toFixed(0)} ms : ${turns.median('bare').toFixed(0)} ms`,
      },
    ]
  },
}
