import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stack } from '../../containers/stack-file.ts'
import { isAvailable } from '../../fixtures/tools.ts'

/** Paths of Alertmanager and amtool. */
export interface Programs {
  readonly alertmanager: string
  readonly amtool: string
}

/** The image of the stack. */
const { image } = stack.services['alertmanager']

/** The first version with all features that the templates use. */
const minorMin = 32

function isRecent(program: string): boolean {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  const [, major, minor] = /version (\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  return major !== undefined && (Number(major) > 0 || Number(minor) >= minorMin)
}

const folders: string[] = []

/** Removes the copied programs. Processes do so at their end, but Vitest kills its own: tests call it in `afterAll`. */
export function removePrograms(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  found = undefined
}
process.once('exit', removePrograms)

/** The programs from the stack's image, which also run outside of it. */
function fromImage(): Programs | null {
  const docker = (...words: readonly string[]) => spawnSync('docker', words, { encoding: 'utf8' })
  const { status, stdout } = docker('create', image)
  if (status !== 0) return null
  const container = stdout.trim()
  const folder = mkdtempSync(join(tmpdir(), 'alertmanager-program-'))
  folders.push(folder)
  const copied = ['alertmanager', 'amtool'].map((name) =>
    docker('cp', `${container}:/bin/${name}`, join(folder, name)),
  )
  docker('rm', container)
  if (copied.some((copy) => copy.status !== 0)) return null
  return { alertmanager: join(folder, 'alertmanager'), amtool: join(folder, 'amtool') }
}

function find(): Programs | null {
  const amtool = 'amtool'
  for (const alertmanager of ['alertmanager', 'prometheus-alertmanager']) {
    if (isRecent(alertmanager) && isRecent(amtool)) return { alertmanager, amtool }
  }
  const copied = fromImage()
  return copied !== null && isRecent(copied.alertmanager) && isRecent(copied.amtool) ? copied : null
}

let found: Programs | null | undefined

/** Alertmanager 0.32 or newer: installed, or from the stack's image. Null if there is none; in CI that is an error. */
export function findAlertmanager(): Programs | null {
  found ??= find()
  return isAvailable(`Alertmanager 0.${minorMin} or the image ${image}`, found !== null) ? found : null
}
