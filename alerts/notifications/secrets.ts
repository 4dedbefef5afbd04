import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closestMatch } from '../../src/text/closest-match.ts'
import { everyVariable } from './channels.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where a container has the secrets that Compose grants it. */
export const secretsDirectory = '/run/secrets'

interface WithSecrets {
  readonly environment: Environment
  /** The problems of the files, one line each. */
  readonly problems: readonly string[]
}

const errorCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)

/** Names of files that stand for variables; others in the directory may be for other programs. */
function secretNames(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.startsWith('DCSIM_ALERT_'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/** The environment with the content of each file whose name is a variable, so that no secret has to be in it. */
export function withSecrets(environment: Environment, directory: string): WithSecrets {
  const added: Record<string, string> = {}
  const problems: string[] = []
  for (const name of secretNames(directory).toSorted()) {
    const path = join(directory, name)
    if (!everyVariable.includes(name)) {
      const meant = closestMatch(name, everyVariable) ?? everyVariable[0]
      problems.push(`${path}: expected the name of a variable, such as ${meant}`)
      continue
    }
    if ((environment[name] ?? '') !== '') {
      problems.push(`${name}: got a variable and the file ${path}, expected one of them`)
      continue
    }
    try {
      added[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      const user = process.getuid?.() ?? 'of this process'
      problems.push(
        `${name}: ${path} cannot be read (${errorCode(error)}), expected a file that user ${user} may read`,
      )
    }
  }
  return { environment: { ...environment, ...added }, problems }
}
