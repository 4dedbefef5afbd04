import { describe, expect, test } from 'vitest'
import { sessionNameOf } from '../../src/commands/sessions/session-name.ts'
import { serveCommand } from '../../src/commands/serve.ts'
import { targetsCommand } from '../../src/commands/targets.ts'
import type { ParsedCommand } from '../../src/options/parse-options.ts'
import { parseCommand } from '../../src/options/parse-options.ts'
import { run } from './run.ts'

const nameOf = (...words: readonly string[]): string => {
  const parsed = parseCommand(serveCommand, words, {}) as ParsedCommand<typeof serveCommand.settings>
  return sessionNameOf(parsed.options)
}

describe('the name of a session', () => {
  test.each([
    [[], 'medium-13'],
    [['--scale', '300', '--seed', '9'], '300-9'],
    [['--scenario', 'ddos-friday'], 'medium-13-ddos-friday'],
    [['--scenario', '/sessions/my evening.json'], 'medium-13-my-evening'],
    [['--source', 'http://10.0.0.5:9740'], '10.0.0.5:9740'],
    [['--source', 'http://[::1]:9740'], '1-:9740'],
    [['--source', '/sessions/evening.rec'], 'evening'],
    [['--source', '/sessions/…'], 'session'],
    [['--source', `/sessions/${'x'.repeat(80)}.rec`], 'x'.repeat(64)],
    [['--session', 'plant', '--seed', '9'], 'plant'],
  ])('of %j is %s', (words, name) => {
    expect(nameOf(...words)).toBe(name)
  })

  test.each(['two words', 'a,b', 'a=b', '-a', 'ä'])('cannot be %j', (name) => {
    expect(() => nameOf('--session', name)).toThrow(
      `--session: got ${JSON.stringify(name)}, expected a name of up to 64 letters, digits, dots, colons`,
    )
  })
})

test.each(['mirror', 'mirror:', 'mirror:999999', 'http://mirror:9740', 'two words:1'])(
  'the address of a target cannot be %j',
  (address) => {
    expect(() => parseCommand(targetsCommand, ['--target', address], {})).toThrow(
      `--target: got ${JSON.stringify(address)}, expected HOST:PORT`,
    )
  },
)

const target = (name: string, address = 'mirror:9740') => ({
  targets: [address],
  labels: { session: name, __param_session: name },
})

test.each([
  [['--scale', '8', '--seed', '2'], [target('8-2')]],
  [['--session', 'plant', '--target', 'a:1'], [target('plant', 'a:1')]],
  [
    ['--sessions', 'one=simulation,two=http://a:1'],
    [target('one'), target('two')],
  ],
])('targets with %j', async (words, groups) => {
  const targets = run(['targets', ...words])
  expect(await targets.ended).toEqual([0, null])
  expect(JSON.parse(targets.out)).toEqual(groups)
})
