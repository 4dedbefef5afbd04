import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { root } from '../containers/stack-file.ts'

/** A template of docs/your-game.md, and the program that runs it. */
interface Template {
  readonly file: string
  readonly program: string
}

export const templates: readonly Template[] = [
  { file: 'docs/examples/game.py', program: 'python3' },
  { file: 'docs/examples/game.ts', program: process.execPath },
]

/** A running template, as its reader starts it. */
export class TemplateProcess {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** `target` is a port, or the name of a file. */
  static async start({ file, program }: Template, target: string): Promise<TemplateProcess> {
    const child = spawn(program, [fileURLToPath(new URL(file, root)), target], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => {
        throw new Error(`${file} ended`)
      }),
    ])
    return new TemplateProcess(child)
  }

  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null) return
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exit
  }
}
