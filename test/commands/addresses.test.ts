import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { resolvesToListenAddress } from '../../src/commands/serve/addresses.ts'
import { runServe } from '../../src/commands/serve.ts'
import { OptionError } from '../../src/options/parse-options.ts'

test.each([
  ['http://127.0.0.1:9740', '127.0.0.1', true],
  ['http://localhost:9740', '127.0.0.1', true],
  ['http://localhost:9740', '::1', true],
  ['http://127.0.0.1:9740', 'localhost', true],
  ['http://[::1]:9740', '::1', true],
  ['http://0.0.0.0:9740', '127.0.0.1', true],
  ['http://127.0.0.1:9740', '0.0.0.0', true],
  ['http://[::1]:9740', '::', true],
  ['http://mirror.lan:9740', 'mirror.lan', true],
  ['http://127.0.0.1:9741', '127.0.0.1', false],
  ['https://127.0.0.1:9740', '127.0.0.1', false],
  ['http://127.0.0.2:9740', '127.0.0.1', false],
  ['http://[::1]:9740', '127.0.0.1', false],
  ['http://game:9740', '0.0.0.0', false],
  ['http://mirror.lan:9740', '127.0.0.1', false],
])('%s leads to port 9740 of %s: %s', (origin, host, leads) => {
  expect(resolvesToListenAddress({ host, port: 9740 }, origin)).toBe(leads)
})

test('each address of this machine reaches a mirror that listens on all of them', () => {
  const addresses = Object.values(networkInterfaces()).flatMap((of) => of!)
  const called = addresses.filter(({ family }) => family === 'IPv4').map(({ address }) => address)
  expect(called).not.toEqual([])
  for (const address of called) {
    expect(resolvesToListenAddress({ host: '0.0.0.0', port: 9740 }, `http://${address}:9740`)).toBe(true)
  }
})

test('an origin without a port has port 80', () => {
  expect(resolvesToListenAddress({ host: '127.0.0.1', port: 80 }, 'http://localhost')).toBe(true)
})

test.each<[string[], Record<string, string>, string]>([
  [['--source', 'http://localhost:9740'], {}, '--source'],
  [['--listen', '127.0.0.1:9740'], { DCSIM_SOURCE: 'http://localhost:9740' }, 'DCSIM_SOURCE'],
])('a mirror of itself is refused: %j %j', async (words, environment, where) => {
  await expect(runServe(words, environment)).rejects.toThrow(
    new OptionError(
      `${where}: http://localhost:9740 is 127.0.0.1:9740, where this mirror is to listen; use another --listen`,
    ),
  )
})
