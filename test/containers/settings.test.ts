import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { variableOf } from '../../src/options/command.ts'
import { replaySettings } from '../../src/options/recording-settings.ts'
import { logLevelSetting, publishingSettings, readingSettings } from '../../src/options/service-settings.ts'
import { collectorsSetting, worldSettings } from '../../src/options/world-settings.ts'
import { fileText, lasting, readStack, root, services, stack } from './stack-file.ts'

/** Variables of a compose file and what holds without them. */
const asked = (path: string): Map<string, string> =>
  new Map(
    [...fileText(path).matchAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g)].map(([, name, fallback]) => [
      name,
      fallback ?? '',
    ]),
  )

describe('.env.example', () => {
  test('tells of every variable of the compose files, and of no other, with what holds without it', () => {
    // Compose itself reads these.
    const own = new Map([
      ['COMPOSE_PROFILES', 'longterm'],
      ['COMPOSE_FILE', 'docker-compose.yml:docker-compose.attach.yml'],
    ])
    const told = [...fileText('.env.example').matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(
      ([, name, value]) => [name, value] as const,
    )
    const wanted = [...asked('docker-compose.yml'), ...asked('docker-compose.attach.yml'), ...own]
    expect(Object.fromEntries(told)).toStrictEqual(Object.fromEntries(wanted))
    expect(told).toHaveLength(wanted.length)
  })

  test('changes nothing when it is copied as it is', () => {
    const lines = fileText('.env.example').split('\n')
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toStrictEqual([])
  })
})

describe('docker-compose.yml', () => {
  test.each(services)('takes from %s what it does not need', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/\d[mg]\}?$/) as string,
      logging: { options: { 'max-size': '10m', 'max-file': '3' } },
    })
  })

  test.each(services)('pins the image of %s', (_, { image }) => {
    expect(image).toMatch(/^[\w./-]+:v?\d+\.\d+\.\d+$/)
  })

  test.each(lasting)('starts %s again, and gives it time to end', (_, service) => {
    expect(service.restart).toBe('unless-stopped')
    expect(service.stop_grace_period).toMatch(/^\d+s$/)
  })

  test('asks every service whether it is healthy; the image of the mirror brings its own question', () => {
    const unasked = lasting.filter(([, { healthcheck }]) => healthcheck?.test?.[0] !== 'CMD')
    expect(unasked.map(([name]) => name)).toStrictEqual(['mirror'])
    expect(fileText('Dockerfile')).toMatch(/^HEALTHCHECK[^]*\/health/m)
  })

  test.each(lasting)(
    'publishes %s on the loopback alone, at a port that a variable moves',
    (_, { ports }) => {
      expect(ports).toHaveLength(1)
      expect(ports![0]).toMatch(/^127\.0\.0\.1:\$\{\w+_PORT:-(\d+)\}:\1$/)
    },
  )

  test('publishes nothing of what runs once', () => {
    const once = services.filter(([, { restart }]) => restart === 'no')
    expect(once.flatMap(([, { ports = [] }]) => ports)).toStrictEqual([])
  })

  test('waits for health and for the end of what runs once, never for a mere start', () => {
    const conditions = services.flatMap(([, { depends_on: needs = {} }]) => Object.entries(needs))
    const once = new Set(services.filter(([, { restart }]) => restart === 'no').map(([name]) => name))
    for (const [name, { condition }] of conditions) {
      expect([name, condition]).toStrictEqual([
        name,
        once.has(name) ? 'service_completed_successfully' : 'service_healthy',
      ])
    }
  })

  test('lets the mirror run alone', () => {
    expect(stack.services['mirror'].depends_on).toBeUndefined()
  })

  test('gives the mirror every setting, and its made-up past those of the world', () => {
    const { mirror, history } = stack.services
    const world = { ...worldSettings, collectors: collectorsSetting }
    const own = {
      ...replaySettings,
      'allow-host': readingSettings['allow-host'],
      ...publishingSettings,
      'log-level': logLevelSetting,
    }
    const variables = (settings: object): string[] => Object.keys(settings).map(variableOf).toSorted()
    expect(Object.keys(history.environment!).toSorted()).toStrictEqual(variables(world))
    expect(Object.keys(mirror.environment!).toSorted()).toStrictEqual(variables({ ...world, ...own }))
    expect(mirror.environment).toMatchObject(history.environment!)
  })

  test('mounts files that are there, unchangeable, and volumes that it declares', () => {
    const mounts = services.flatMap(([, { volumes = [] }]) => volumes).map((volume) => volume.split(':'))
    const [files, named] = [true, false].map((isFile) =>
      mounts.filter(([source]) => source.startsWith('./') === isFile),
    )
    expect(files.filter(([source]) => !existsSync(new URL(source, root)))).toStrictEqual([])
    expect(files.filter(([, , mode]) => mode !== 'ro')).toStrictEqual([])
    expect(new Set(named.map(([source]) => source))).toStrictEqual(new Set(Object.keys(stack.volumes)))
  })
})

test('what reads a game makes up no past for it', () => {
  const { services: added } = readStack('docker-compose.attach.yml')
  expect(added['history'].environment).toStrictEqual({ DCSIM_SOURCE: 'http://game:9740' })
  expect(added['mirror'].environment).toStrictEqual(added['history'].environment)
  expect(added['load-past'].environment).toStrictEqual(added['history'].environment)
})

test('the forwarders to a game have no more rights than the stack', () => {
  const { services: added } = readStack('docker-compose.attach.yml')
  for (const name of ['game', 'game-host']) {
    expect(added[name]).toMatchObject({
      image: stack.services['mirror'].image,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(added[name].ports).toBeUndefined()
  }
})

test('scripts that are mounted are shell, and parse', () => {
  for (const path of ['alertmanager', 'configuration', 'load-past', 'record-past'].map(
    (name) => `alerts/${name}.sh`,
  )) {
    expect(statSync(new URL(path, root)).isFile()).toBe(true)
    expect(spawnSync('sh', ['-n', new URL(path, root).pathname]).status).toBe(0)
  }
})
