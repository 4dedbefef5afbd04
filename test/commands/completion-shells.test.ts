import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { optionalTool } from '../deploy/manifests.ts'
import { completionScript as script } from './completion-script.ts'

/** The completions of fish for the end of a line. */
async function offeredByFish(line: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fish-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'script.fish'), await script('fish'))
  const words = ['--private', '--no-config', '-c', `source script.fish; complete -C '${line}'`]
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, HOME: folder } } as const
  const { stdout, stderr } = spawnSync('fish', words, options)
  expect(stderr).toBe('')
  return stdout.split('\n').flatMap((text) => (text === '' ? [] : text.split('\t')[0]))
}

test.skipIf(optionalTool('fish', '--version') === null)(
  'fish offers the same (skipped where it is not installed)',
  async () => {
    expect(await offeredByFish('dcsim-mirror re')).toEqual(['record', 'report'])
    expect(await offeredByFish('dcsim-mirror record --o')).toEqual(['--out'])
    expect(await offeredByFish('dcsim-mirror inspect --o')).toEqual([])
    expect(await offeredByFish('dcsim-mirror --scenario ddos')).toEqual(['ddos-friday'])
    expect(await offeredByFish('dcsim-mirror act Switch')).toEqual(['Switch', 'SwitchFailure'])
  },
)

test.skipIf(optionalTool('pwsh', '--version') === null)(
  'PowerShell offers the same (skipped where it is not installed)',
  async () => {
    const offered = async (line: string): Promise<string[]> => {
      const ask = `(TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`
      const input = ['-NoProfile', '-Command', `${await script('powershell')}\n${ask}`]
      const { stdout, stderr } = spawnSync('pwsh', input, { encoding: 'utf8' })
      expect(stderr).toBe('')
      return stdout.split(/\r?\n/).filter((word) => word !== '')
    }
    expect(await offered('dcsim-mirror re')).toEqual(['record', 'report'])
    expect(await offered('dcsim-mirror record --o')).toEqual(['--out'])
    expect(await offered('dcsim-mirror --scenario ddos')).toEqual(['ddos-friday'])
    expect(await offered('dcsim-mirror act SwitchF')).toEqual(['SwitchFailure'])
  },
)

test.skipIf(optionalTool('zsh', '--version') === null)(
  'zsh loads its script without a word (skipped where it is not installed)',
  async () => {
    const input = `${await script('zsh')}\n[[ $_comps[dcsim-mirror] == _bash_complete* ]] && echo complete`
    const { stdout, stderr } = spawnSync('zsh', ['-f'], { input, encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['complete\n', ''])
  },
)
