/** The executable without arguments: keeps its session, opens its page, and leaves its window open if it fails. */
import { spawn, spawnSync } from 'node:child_process'
import { win32 } from 'node:path'
import { exitCodes } from '../../command-line/command-line.ts'
import { runServe } from '../serve.ts'

export async function runDoubleClicked(environment: NodeJS.ProcessEnv): Promise<void> {
  /** By its whole path: Windows looks for a bare name beside what was downloaded first. */
  const system = (name: string): string =>
    win32.join(environment['SystemRoot'] ?? 'C:/Windows', 'System32', name)
  process.on('exit', (code) => {
    // Windows closes the window of a program that ends.
    const isFailure = code === exitCodes.failed || code === exitCodes.invalidOption
    if (isFailure && process.stdin.isTTY) spawnSync(system('cmd.exe'), ['/c', 'pause'], { stdio: 'inherit' })
  })
  await runServe([], environment, (origin) => {
    console.log('To stop it, close this window or press Ctrl-C: the world is saved.')
    const opening = ['url.dll,FileProtocolHandler', `${origin}/`]
    const opener = spawn(system('rundll32.exe'), opening, { stdio: 'ignore', detached: true })
    opener.on('error', () => {})
    opener.unref()
  })
}
