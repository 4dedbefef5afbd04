import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readRegularFile } from '../../files/regular-file.ts'

/** The parts of the program on which a world and what is kept of it depend: what sources may import, in turn. */
export const digestedParts = [
  'codegen',
  'contract',
  'encoding',
  'files',
  'metrics',
  'sources',
  'store',
  'text',
  'words',
  'world',
] as const

const codeName = /\.(?:js|json|ts)$/

/** A digest of the code that makes a world: sources in a checkout, compiled ones in the package. */
export function worldDigest(root: URL): string {
  const hash = createHash('sha256')
  for (const part of digestedParts) {
    const names = readdirSync(new URL(part, root), { recursive: true, encoding: 'utf8' })
    for (const name of names.toSorted()) {
      if (!codeName.test(name) || name.endsWith('.d.ts')) continue
      const path = fileURLToPath(new URL(`${part}/${name}`, root))
      hash.update(`${part}/${name}\n`).update(readRegularFile(path))
    }
  }
  return hash.digest('hex')
}
