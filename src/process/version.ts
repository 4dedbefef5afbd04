import { fileURLToPath } from 'node:url'
import { readTextFile } from '../files/regular-file.ts'
import { packageRoot } from './package-root.ts'

/** The version of this package. */
export function ownVersion(): string {
  const description = readTextFile(fileURLToPath(new URL('package.json', packageRoot)))
  return (JSON.parse(description) as { version: string }).version
}
