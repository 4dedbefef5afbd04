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
const remedy =
  ', and would mix both.\n' +
  'Name the new session otherwise (DCSIM_SESSION or DCSIM_SESSIONS), or remove all data:\n' +
  '  docker compose --profile longterm down --volumes\n'
const sessions = 'evening=http://a:1,practice=simulation?seed=7&collectors=+ports,-quests'

const oneMore = `${sessions},third=simulation`
const list = 'a=simulation,b=simulation?seed=5'
const evening = 'session evening'
const usual = 'scale medium, seed 13'

/** Settings before and now, and of a refusal the session, its world before and its world now. */
test.each<[string, Settings, Settings, (readonly [session: string, before: string, now: string])?]>([
  ['the same', named, named],
  ['one that is not blind, as by default', named, { ...named, DCSIM_BLIND: 'no' }],
  ['a blind one', named, { ...named, DCSIM_BLIND: 'yes' }, [evening, usual, `${usual}, blind`]],
  ['another seed', named, { ...named, DCSIM_SEED: '14' }, [evening, usual, 'scale medium, seed 14']],
  [
    'a blind one in a list',
    { DCSIM_SESSIONS: list },
    { DCSIM_SESSIONS: list.replace('?', '?blind=yes&') },
    ['session b', 'scale medium, seed 5', 'scale medium, seed 5, blind'],
  ],
  [
    'another size without its scenario',
    { ...named, DCSIM_SCENARIO: 'ddos-friday' },
    { ...named, DCSIM_SCALE: 'small' },
    [evening, `${usual}, scenario ddos-friday`, 'scale small, seed 13'],
  ],
  [
    'an upstream',
    named,
    { ...named, DCSIM_SOURCE: 'http://game:9740' },
    [evening, usual, 'http://game:9740'],
  ],
  [
    'another seed in a list',
    { DCSIM_SESSIONS: sessions },
    { DCSIM_SESSIONS: sessions.replace('7', '8') },
    ['session practice', 'scale medium, seed 7', 'scale medium, seed 8'],
  ],
  ['one more in a list', { DCSIM_SESSIONS: sessions }, { DCSIM_SESSIONS: oneMore }],
  ['another seed with a name of its own', {}, { DCSIM_SEED: '7' }],
  ['another seed of another name', named, { DCSIM_SESSION: 'morning', DCSIM_SEED: '7' }],
  ['a moved upstream', { ...named, DCSIM_SOURCE: 'http://a:1' }, { ...named, DCSIM_SOURCE: 'http://b:2' }],
  ['a blind one with a name of its own', {}, { DCSIM_BLIND: 'yes' }],
  ['another scenario with a name of its own', {}, { DCSIM_SCENARIO: 'ddos-friday' }],
  // The name of a blind session does not tell its scenario.
  [
    'another scenario of the same blind name',
    { DCSIM_BLIND: 'yes' },
    { DCSIM_BLIND: 'yes', DCSIM_SCENARIO: 'game-day' },
    [`session ${usual}, blind`, `${usual}, blind`, `${usual}, scenario game-day, blind`],
  ],
])('a world after another: %s', (_, before, now, refusal) => {
  const data = mkdtempSync(join(folder, 'data-'))
  expect(load(data, before)).toBe(noHistory)
  const listed = readFileSync(join(data, 'past-world'), 'utf8')
  expect(load(data, now)).toBe(
    refusal === undefined
      ? noHistory
      : `Prometheus has data of the ${refusal[0]} with another world (${refusal[1]}) than it has now (${refusal[2]})${remedy}`,
  )
  expect(readFileSync(join(data, 'past-world'), 'utf8').startsWith(listed)).toBe(true)
  expect(load(data, before)).toBe(noHistory)
})
