/** Whether the script of the stack notices that a session has another world than Prometheus has data of. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { root } from '../containers/stack-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-load-backfill-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Settings = Readonly<Record<string, string>>

function load(data: string, settings: Settings): string {
  const env = { PATH: process.env['PATH'], ...settings }
  const { status, stdout, stderr } = spawnSync('sh', ['deploy/stack/load-backfill.sh', data, 'none'], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  return status === 0 ? stdout : stderr
}

const noHistory = 'There is no history to load.\n'
const named = { DCSIM_SESSION: 'evening' }

test.each<[string, Settings, Settings, string | null]>([
  ['the same', named, named, null],
  ['one that is not blind, as by default', named, { ...named, DCSIM_BLIND: 'no' }, null],
  [
    'a blind one',
    named,
    { ...named, DCSIM_BLIND: 'yes' },
    'session evening with another world (scale medium, seed 13) than it has now (scale medium, seed 13, blind)',
  ],
  [
    'another seed',
    named,
    { ...named, DCSIM_SEED: '14' },
    'session evening with another world (scale medium, seed 13) than it has now (scale medium, seed 14)',
  ],
  [
    'a blind one in a list',
    { DCSIM_SESSIONS: 'a=simulation,b=simulation?seed=5' },
    { DCSIM_SESSIONS: 'a=simulation,b=simulation?blind=yes&seed=5' },
    'session b with another world (scale medium, seed 5) than it has now (scale medium, seed 5, blind)',
  ],
  ['a blind one with a name of its own', {}, { DCSIM_BLIND: 'yes' }, null],
  ['another scenario with a name of its own', {}, { DCSIM_SCENARIO: 'ddos-friday' }, null],
  // The name of a blind session does not tell its scenario.
  [
    'another scenario of the same blind name',
    { DCSIM_BLIND: 'yes' },
    { DCSIM_BLIND: 'yes', DCSIM_SCENARIO: 'game-day' },
    'session scale medium, seed 13, blind with another world (scale medium, seed 13, blind) than it has now ' +
      '(scale medium, seed 13, scenario game-day, blind)',
  ],
])('a world after another: %s', (_, before, now, refusal) => {
  const data = mkdtempSync(join(folder, 'data-'))
  expect(load(data, before)).toBe(noHistory)
  const listed = readFileSync(join(data, 'past-world'), 'utf8')
  const answer = load(data, now)
  expect(answer).toContain(refusal ?? noHistory)
  expect(readFileSync(join(data, 'past-world'), 'utf8').startsWith(listed)).toBe(true)
})
