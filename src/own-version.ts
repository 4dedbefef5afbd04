import { fileURLToPath } from 'node:url'
import { readTextFile } from './files/regular-file.ts'
import { packageRoot } from './package-root.ts'

const bytesMax = 1 << 20

/** The version of this package. */
export function ownVersion(): string {
  const description = readTextFile(fileURLToPath(new URL('package.json', packageRoot)), bytesMax)
  return (JSON.parse(description) as { version: string }).version
}
