/** Windows, or Wine on Linux: runs the executable, and ends it as Windows does. */
import { execSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'
import { vi } from 'vitest'
import { nodeFromNpm } from '../../deploy/packaging/node-from-npm.ts'
import { freePort } from '../fixtures/free-port.ts'
import { smallShippedWorld } from '../library/small-shipped-world.ts'

const checkout = join(import.meta.dirname, '../..')
export const isWindows = process.platform === 'win32'
/** A program that runs a Windows program in a folder: wine.sh FOLDER PROGRAM WORDS…; `none` says that there is none. */
const wine = process.env['DCSIM_WINE'] ?? ''

export const hasWindows = isWindows || (wine !== '' && wine !== 'none')
/** CI has to say that it has no Wine: then Windows itself runs these tests. */
export const isLeftOut = wine === 'none'

interface Running {
  /** All output so far. */
  readonly output: () => string
  /** Waits for its end, and returns its exit code; null if it was killed. */
  readonly exit: () => Promise<number | null>
  readonly kill: () => Promise<void>
  readonly closeWindow: () => Promise<void>
}

interface StartOptions {
  /** As Windows names it. */
  readonly program?: string
  readonly environment?: Readonly<Record<string, string>>
}

export class Windows {
  /** As this process names it. */
  readonly folder = mkdtempSync(join(tmpdir(), 'dcsim-mirror-windows-'))
  readonly #driver: ChildProcess
  readonly #port: number
  /** The folder with the executable. */
  readonly #home: string
  #started = 0

  private constructor(port: number, home: string) {
    this.#port = port
    this.#home = home
    this.#build()
    copyFileSync(join(import.meta.dirname, 'driver.ts'), join(this.folder, 'driver.ts'))
    writeFileSync(join(this.folder, 'package.json'), '{"type":"module"}')
    const words = ['--no-warnings', '--experimental-ffi', 'driver.ts', String(port)]
    const node = join(this.folder, 'node.exe')
    const prefix = join(this.folder, 'wine')
    mkdirSync(join(this.folder, 'bin'), { recursive: true })
    writeFileSync(join(this.folder, 'bin/xdg-open'), '#!/bin/sh\necho "$1" >/w/opened\n', { mode: 0o755 })
    this.#driver = isWindows
      ? spawn(node, words, { cwd: this.folder, stdio: 'ignore' })
      : spawn('bash', [wine, this.folder, 'node.exe', ...words], {
          stdio: 'ignore',
          // Names of files are UTF-8. Wine opens pages with a browser of Linux.
          env: {
            ...process.env,
            WINE_HOME: prefix,
            WINE_ENV: 'LC_ALL=C.UTF-8 PATH=/w/bin:/usr/bin:/bin:/usr/lib/wine',
          },
        })
  }

  static async start(home: string): Promise<Windows> {
    const windows = new Windows(await freePort(), home)
    await vi.waitFor(() => windows.#order({}), { timeout: 300_000, interval: 200 })
    return windows
  }

  #build(): void {
    // With a small world, which comes with the program in the place of the default one.
    execSync(`npm run build:windows -- "${join(this.folder, this.#home)}"`, {
      env: { ...process.env, ...smallShippedWorld },
      cwd: checkout,
    })
    copyFileSync(nodeFromNpm('win-x64', 'node.exe'), join(this.folder, 'node.exe'))
  }

  /** A path as programs on Windows name it. */
  path(...names: string[]): string {
    return isWindows ? join(this.folder, ...names) : win32.join('Z:\\w', ...names)
  }

  /** The page that was opened in the browser of Wine. */
  openedPage(): string | null {
    const path = join(this.folder, 'opened')
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : null
  }

  async #order(order: object): Promise<unknown> {
    const body = JSON.stringify(order)
    const response = await fetch(`http://127.0.0.1:${this.#port}/`, { method: 'POST', body })
    return await response.json()
  }

  /** Starts the executable, or another program. */
  async program(
    words: readonly string[],
    { program = this.path(this.#home, 'dcsim-mirror.exe'), environment = {} }: StartOptions = {},
  ): Promise<Running> {
    const id = `program-${++this.#started}`
    const own = { ...smallShippedWorld, ...environment }
    await this.#order({ start: { id, program, words, environment: own } })
    const log = join(this.folder, `${id}.log`)
    const output = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '')
    return {
      output,
      exit: async () => (await this.#order({ wait: id })) as number | null,
      kill: async () => void (await this.#order({ kill: id })),
      closeWindow: async () => void (await this.#order({ close: id })),
    }
  }

  /** Runs a command to its end. Returns its exit code and output. */
  async run(
    words: readonly string[],
    options?: StartOptions,
  ): Promise<[code: number | null, output: string]> {
    const running = await this.program(words, options)
    const code = await running.exit()
    return [code, running.output()]
  }

  /** All programs of the console get it. */
  async pressCtrlC(): Promise<void> {
    await this.#order({ press: 'Ctrl-C' })
  }

  async close(): Promise<void> {
    this.#driver.kill('SIGTERM')
    if (this.#driver.exitCode === null) await once(this.#driver, 'exit')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 })
  }
}
