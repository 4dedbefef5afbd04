import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { outputOf } from './processes.ts'

const cache = new URL('../../../node_modules/.cache/side-by-side/', import.meta.url)

/** The version of an installed program; where it does not say it, that of its Debian package. */
export async function versionOf(program: string): Promise<string> {
  const said = await outputOf(program, ['--version']).catch(() => {
    throw new Error(`${program} is missing; on Debian: apt-get install ${program}`)
  })
  const packaged = await outputOf('dpkg-query', ['-W', program]).catch(() => '')
  return /\d+\.\d+\.\d+/.exec(said + packaged)?.[0] ?? 'unknown'
}

/** Builds the program of a Go module once, in a module of its own: `go install` also asks for all of its versions. */
export async function builtFromGo(name: string, module: string, version: string): Promise<string> {
  const folder = fileURLToPath(new URL(`${name}-${version}/`, cache))
  const program = folder + name
  if (existsSync(program)) return program
  await outputOf('go', ['version']).catch(() => {
    throw new Error('go is missing; https://go.dev/dl has it')
  })
  console.error('  building it, which takes minutes')
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}go.mod`, `module tool\n\ngo 1.24\n\nrequire ${module} v${version}\n`)
  await outputOf('go', ['build', '-mod=mod', '-o', program, module], folder).catch(({ message }: Error) => {
    throw new Error(`go build ${module}@v${version} failed: ${message.trim().split('\n').at(-1)}`)
  })
  return program
}
