import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import type { Row } from '../harness/finding.ts'
import { nowMs, takeTurns } from '../harness/turns.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { processorMs } from '../support/process-usage.ts'

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const bare = fileURLToPath(new URL('../support/bare-server.ts', import.meta.url))
const withinMs = 180_000

async function isAnswered(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url)
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** Milliseconds of processor time that a program takes from its start to its first answer. */
async function untilAnswer(wordsAt: (port: number) => readonly string[], path: string): Promise<number> {
  const port = await freePort()
  const beganMs = nowMs()
  const child = spawn(process.execPath, wordsAt(port), { stdio: 'ignore' })
  const exited = once(child, 'exit')
  try {
    while (!(await isAnswered(`http://127.0.0.1:${port}${path}`))) {
      if (nowMs() - beganMs > withinMs || child.exitCode !== null)
        throw new Error('The program did not answer.')
      await pause(2)
    }
    return processorMs(child.pid!)
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}

const start: Row = {
  name: 'start',
  async measure(progress) {
    progress('the service and a bare server, one start each, in turns')
    const serviceAt = (port: number): string[] => [main, '--listen', `127.0.0.1:${port}`, '--warmup', '0s']
    const turns = await takeTurns(
      {
        health: { run: () => untilAnswer(serviceAt, '/health') },
        hosts: { run: () => untilAnswer(serviceAt, '/api/v1/hosts') },
        bare: { run: () => untilAnswer((port) => [bare, String(port)], '/health') },
      },
      { rounds: 11, warmUps: 1, clock: 'wall' },
    )
    const medians = (name: 'health' | 'hosts'): string =>
      `${turns.median(name).toFixed(0)} ms : ${turns.median('bare').toFixed(0)} ms`
    const finding = { against: 'bare node:http', unit: 'of it', better: 'lower', aim: null } as const
    return [
      {
        ...finding,
        part: 'health',
        measured: 'processor time from start to the first answer of /health',
        ...turns.ratio('health', 'bare'),
        floor: 9,
        medians: medians('health'),
      },
      {
        ...finding,
        part: 'hosts',
        measured: 'processor time from start to the first page of 120 hosts, no warm-up',
        ...turns.ratio('hosts', 'bare'),
        floor: 18,
        medians: medians('hosts'),
      },
    ]
  },
}

export const starting: readonly Row[] = [start]
