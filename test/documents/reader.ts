/** A newcomer at a terminal: a fresh checkout, a home without files, and programs that run until Ctrl-C. */
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../containers/stack-file.ts'
import { smallShippedWorld } from '../library/small-shipped-world.ts'

const checkout = fileURLToPath(root)
/** Of a machine that does much else. */
const longestWaitMs = 480_000
const archiveBytesMax = 100_000_000

/** Programs that run until Ctrl-C log this when they can be used. */
const ready =
  /^(?:\w+: )?Ready after|Server is ready to receive web requests|started (?:VictoriaMetrics|vmagent) in|^The world is (?:at|in) \S+$/m

interface Server {
  readonly command: string
  readonly child: ChildProcess
  readonly ended: Promise<unknown[]>
}

interface Outcome {
  readonly output: string
  /** Null for a program that runs on. */
  readonly code: number | null
}

const temporary = mkdtempSync(join(tmpdir(), 'reader-'))
const place = join(temporary, 'place')
const compiled = join(temporary, 'compiled')
const packed = join(temporary, 'dcsim-mirror-0.1.0.tgz')
export const forgetReaders = (): void => rmSync(temporary, { recursive: true })

const quickWorld = Object.entries(smallShippedWorld)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')

/**
 * `npm ci` takes a minute and the network: here it links what is installed. Pages that pack the same files share the
 * package, with a world that is made sooner than the default one. Everything else is npm's.
 */
const npm = (realNpm: string): string => `#!/bin/sh -e
case $1 in
  ci) exec ln -s '${join(checkout, 'node_modules')}' node_modules ;;
  pack) test -e '${packed}' || { ${quickWorld} '${realNpm}' "$@"; mv *.tgz '${packed}'; }; exec cp '${packed}' . ;;
  *) exec '${realNpm}' "$@" ;;
esac
`

/** Copies all files of the checkout that git does not ignore, also those that are not committed yet. */
function cloneInto(folder: string): void {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', listed, { cwd: checkout })
  const tar = ['-c', '-C', checkout, '-T', '-']
  const archive = execFileSync('tar', tar, { input: files, maxBuffer: archiveBytesMax })
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const identity = ['-c', 'user.name=reader', '-c', 'user.email=reader@example.com']
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    [...identity, 'commit', '-q', '-m', 'As cloned'],
  ])
    execFileSync('git', words, { cwd: folder })
}

/** Removes what the blocks of a page have made, but for the packages. */
function makeFresh(folder: string): void {
  if (!existsSync(folder)) return cloneInto(folder)
  execFileSync('git', ['clean', '-d', '-x', '-f', '-f', '-q', '-e', 'node_modules'], { cwd: folder })
  execFileSync('git', ['checkout', '-q', '.'], { cwd: folder })
}

export class Reader {
  readonly folder = join(place, 'dcsim-mirror')
  readonly #environment: NodeJS.ProcessEnv
  readonly #servers: Server[] = []

  constructor(settings: Readonly<Record<string, string>>) {
    makeFresh(this.folder)
    const home = join(place, 'home')
    const programs = join(place, 'programs')
    for (const folder of [home, programs]) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder)
    }
    const path = process.env['PATH']!.split(':').filter((folder) => !folder.includes('node_modules'))
    const find = (name: string): string =>
      execFileSync('sh', ['-c', `command -v ${name}`], {
        env: { PATH: path.join(':') },
        encoding: 'utf8',
      }).trim()
    writeFileSync(join(programs, 'npm'), npm(find('npm')))
    chmodSync(join(programs, 'npm'), 0o755)
    symlinkSync(process.execPath, join(programs, 'node'))
    // An answer with an error fails the command.
    writeFileSync(join(home, '.curlrc'), 'fail\n')
    this.#environment = {
      PATH: [programs, ...path].join(':'),
      HOME: home,
      TMPDIR: place,
      // Programs of the same place start in half the processor time.
      NODE_COMPILE_CACHE: compiled,
      // The registry and the packages that this machine has already.
      npm_config_userconfig: join(userInfo().homedir, '.npmrc'),
      npm_config_globalconfig: process.env['npm_config_globalconfig'],
      npm_config_cache: join(userInfo().homedir, '.npm'),
      npm_config_prefer_offline: 'true',
      npm_config_fetch_retries: '1',
      npm_config_audit: 'false',
      ...settings,
    }
  }

  save(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true })
    writeFileSync(join(this.folder, file), text)
  }

  get hasPackages(): boolean {
    return existsSync(join(this.folder, 'node_modules'))
  }

  runs(command: string): boolean {
    return this.#servers.some((server) => server.command.startsWith(command))
  }

  /** Runs commands until they end, or until the last of them is a program that is ready and runs on. */
  async run(commands: string): Promise<Outcome> {
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', commands], {
      cwd: this.folder,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const ended = once(child, 'close')
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    const until = Date.now() + longestWaitMs
    while (child.exitCode === null && child.signalCode === null) {
      if (ready.test(output)) {
        const command = commands.trim().split('\n').at(-1)!
        this.#servers.push({ command: commands.includes('\\\n') ? commands : command, child, ended })
        return { output, code: null }
      }
      if (Date.now() > until) {
        process.kill(-child.pid!, 'SIGKILL')
        throw new Error(`Neither ready nor done after ${longestWaitMs / 1000} s:\n${commands}\n${output}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await ended
    return { output, code: child.exitCode }
  }

  /** Presses Ctrl-C where a program runs. Returns the exit codes. */
  async interrupt(command: string): Promise<(number | null)[]> {
    const codes = []
    for (const server of this.#servers.filter((running) => running.command.startsWith(command))) {
      this.#servers.splice(this.#servers.indexOf(server), 1)
      process.kill(-server.child.pid!, 'SIGINT')
      await server.ended
      codes.push(server.child.exitCode)
    }
    return codes
  }

  async leave(): Promise<void> {
    for (const { child, ended } of this.#servers) {
      process.kill(-child.pid!, 'SIGKILL')
      await ended
    }
  }
}
