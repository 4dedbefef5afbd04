/**
 * Runs on Windows: starts programs in a console of their own, as their clients here are, and ends them as Windows does.
 *
 *   node.exe --experimental-ffi driver.ts PORT
 *
 * Each request is a JSON object, `{"start": …}`, `{"kill": ID}`, `{"wait": ID}`, `{"press": "Ctrl-C"}` or `{"close": ID}`.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { dlopen } from 'node:ffi'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

interface Start {
  readonly id: string
  readonly program: string
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

interface Order {
  readonly start?: Start
  readonly kill?: string
  readonly wait?: string
  readonly press?: 'Ctrl-C'
  readonly close?: string
}

const { functions: system } = dlopen('kernel32.dll', {
  FreeConsole: { arguments: [], return: 'i32' },
  AllocConsole: { arguments: [], return: 'i32' },
  GenerateConsoleCtrlEvent: { arguments: ['u32', 'u32'], return: 'i32' },
  OpenProcess: { arguments: ['u32', 'i32', 'u32'], return: 'u64' },
  CreateRemoteThread: { arguments: ['u64', 'u64', 'u64', 'u64', 'u64', 'u32', 'u64'], return: 'u64' },
})
const allAccess = 0x1fffff
const closeEvent = 2n

// Keys reach the programs of one console. This one ignores them.
system.FreeConsole()
system.AllocConsole()
process.on('SIGINT', () => {})

const programs = new Map<string, { readonly child: ChildProcess; readonly exit: Promise<unknown[]> }>()

function start({ id, program, words, environment }: Start): void {
  // Node for Windows does not start on the pipes of Wine.
  const log = openSync(`${id}.log`, 'w')
  const child = spawn(program, words, {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...environment },
  })
  closeSync(log)
  programs.set(id, { child, exit: once(child, 'exit') })
}

/** As Windows tells a program that its window was closed: by a thread in it. Other programs of the window are not told. */
function closeWindow({ pid }: ChildProcess): void {
  const routine = dlopen('kernelbase.dll', {}).lib.getSymbol('CtrlRoutine')
  system.CreateRemoteThread(system.OpenProcess(allAccess, 0, pid!), 0n, 0n, routine, closeEvent, 0, 0n)
}

async function carryOut(order: Order): Promise<unknown> {
  if (order.start !== undefined) start(order.start)
  if (order.kill !== undefined) programs.get(order.kill)!.child.kill()
  if (order.press !== undefined) system.GenerateConsoleCtrlEvent(0, 0)
  if (order.close !== undefined) closeWindow(programs.get(order.close)!.child)
  return order.wait === undefined ? null : (await programs.get(order.wait)!.exit)[0]
}

createServer((request, response) => {
  void text(request)
    .then((body) => carryOut(JSON.parse(body) as Order))
    .then((result) => response.end(JSON.stringify(result)))
    .catch((error: unknown) => response.writeHead(500).end(String(error)))
}).listen(Number(process.argv[2]), '127.0.0.1')
