import { expect } from 'vitest'
import { run } from './run.ts'

const written = new Map<string, string>()

/** The completion script of a shell. */
export async function completionScript(shell: string): Promise<string> {
  const known = written.get(shell)
  if (known !== undefined) return known
  const command = run(['completion', shell])
  const [code] = await command.ended
  expect([code, command.err]).toEqual([0, ''])
  written.set(shell, command.out)
  return command.out
}
