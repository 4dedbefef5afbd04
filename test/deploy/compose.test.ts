import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { archiveSettings } from '../../src/options/archive-settings.ts'
import { environmentVariable } from '../../src/options/command.ts'
import type { Setting } from '../../src/options/setting.ts'
import { linkSettings } from '../../src/options/link-settings.ts'
import { replaySettings } from '../../src/options/recording-settings.ts'
import { logLevelSetting, publishingSettings, listenSettings } from '../../src/options/service-settings.ts'
import { sessionSettings } from '../../src/options/session-settings.ts'
import { collectorsSetting, worldSettings } from '../../src/options/world-settings.ts'
import { isPosix } from '../fixtures/tools.ts'
import { fileText, lasting, readStack, root, services, stack } from '../containers/stack-file.ts'

/** Variables of a compose file with their defaults, which may have variables themselves. */
function variablesOf(path: string): Map<string, string> {
  const found = new Map<string, string>()
  const innermost = /(?<!\$)\$\{(\w+)(?:(:?[-+?])([^${}]*))?\}/g
  for (let text = fileText(path), before = ''; text !== before; ) {
    before = text
    text = text.replaceAll(innermost, (_, name: string, operator = '', fallback = '') => {
      const isDefault = (operator as string).endsWith('-')
      if (operator !== ':+' && operator !== '+' && !found.has(name))
        found.set(name, isDefault ? (fallback as string) : '')
      return isDefault ? (fallback as string) : ''
    })
  }
  return found
}

/** The settings that the stack forwards to the mirror, by their variables. */
const declared = new Map<string, Setting<unknown>>(
  Object.entries({
    ...sessionSettings,
    'allow-host': listenSettings['allow-host'],
    ...worldSettings,
    collectors: collectorsSetting,
    ...replaySettings,
    ...publishingSettings,
    'log-level': logLevelSetting,
    'archive-mb': archiveSettings['archive-mb'],
  }).map(([name, setting]) => [environmentVariable(name), setting]),
)

describe('.env.example', () => {
  test('lists the variables of the compose files, and no others, with their defaults', () => {
    // Compose itself reads these.
    const own = new Map([
      ['COMPOSE_PROFILES', 'longterm'],
      ['COMPOSE_PATH_SEPARATOR', ':'],
      ['COMPOSE_FILE', 'docker-compose.yml:deploy/compose/attach.yml'],
    ])
    const listed = [...fileText('.env.example').matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(
      ([, name, value]) => [name, value] as const,
    )
    const defaults = [...declared].map(([name, { defaultText }]) => [name, defaultText] as const)
    const expected = new Map([
      ...variablesOf('docker-compose.yml'),
      ...variablesOf('deploy/compose/attach.yml'),
      ...own,
      ...defaults,
    ])
    expect(Object.fromEntries(listed)).toStrictEqual(Object.fromEntries(expected))
    expect(listed).toHaveLength(expected.size)
  })

  test('changes nothing when it is copied as it is', () => {
    const lines = fileText('.env.example').split('\n')
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toStrictEqual([])
  })
})

describe('docker-compose.yml', () => {
  test.each(services)('drops the privileges of %s and limits its resources', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: 1024,
      mem_limit: expect.stringMatching(/\d[mg]\}?$/) as string,
      logging: { options: { 'max-size': '10m', 'max-file': '3' } },
    })
  })

  test.each(services)('pins the image of %s', (_, { image }) => {
    expect(image).toMatch(/^[\w./-]+:v?\d+\.\d+\.\d+$/)
  })

  test.each(lasting)('restarts %s, and gives it time to shut down', (_, service) => {
    expect(service.restart).toBe('unless-stopped')
    expect(service.stop_grace_period).toMatch(/^\d+s$/)
  })

  test('has a health check of every service; that of the mirror is in its image', () => {
    const unasked = lasting.filter(([, { healthcheck }]) => healthcheck?.test?.[0] !== 'CMD')
    expect(unasked.map(([name]) => name)).toStrictEqual(['mirror'])
    expect(fileText('Dockerfile')).toMatch(/^HEALTHCHECK[^]*\/health/m)
  })

  test('publishes on the loopback, Grafana and the mirror where DCSIM_HOST says, the others where they are named too', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]))
    expect(published).toStrictEqual([
      ['mirror', '${DCSIM_BIND:-${DCSIM_HOST:-127.0.0.1}}:${DCSIM_PORT:-9740}:9740'],
      ['guard', '${PROMETHEUS_HOST:-127.0.0.1}:${PROMETHEUS_PORT:-9090}:9090'],
      ['guard', '${ALERTMANAGER_HOST:-127.0.0.1}:${ALERTMANAGER_PORT:-9093}:9093'],
      ['grafana', '${DCSIM_BIND:-${DCSIM_HOST:-127.0.0.1}}:${GRAFANA_PORT:-3000}:3000'],
    ])
  })

  test('gives the channels of notifications to the service alone that writes them into files, and Alertmanager those', () => {
    const knowing = services.filter(([, { environment = {} }]) =>
      Object.keys(environment).some((name) => name.startsWith('DCSIM_ALERT_')),
    )
    expect(knowing.map(([name]) => name)).toStrictEqual(['notifications'])
    // It runs on when the other is replaced, and fails: that one has it read its files again.
    expect(stack.services['alertmanager'].depends_on!['notifications']).toStrictEqual({
      condition: 'service_completed_successfully',
    })
  })

  test('has what no web page may reach ask for the password of the stack', () => {
    const { prometheus, alertmanager, guard, 'victoria-metrics': store } = stack.services
    expect(prometheus.command).toContain('--web.config.file=/etc/prometheus/web.yml')
    expect(alertmanager.command).toContain('--web.config.file=/etc/dcsim/web.yml')
    const asks = ['-httpAuth.username=stack', '-httpAuth.password=file:///configuration/password']
    expect(store.command).toEqual(expect.arrayContaining(asks))
    const { services: cluster } = readStack('deploy/compose/cluster.yml')
    for (const name of ['vmstorage-1', 'vmstorage-2', 'vminsert', 'vmselect'])
      expect(cluster[name].command).toEqual(expect.arrayContaining(asks))
    for (const { volumes } of [prometheus, alertmanager, guard, store])
      expect(volumes!.filter((volume) => /^configuration:.*:ro$/.test(volume))).toHaveLength(1)
  })

  test('publishes no port of a service that runs once', () => {
    const once = services.filter(([, { restart }]) => restart === 'no')
    expect(once.flatMap(([, { ports = [] }]) => ports)).toStrictEqual([])
  })

  test('waits for services to be healthy, and for services that run once to complete', () => {
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

  test('gives the mirror every setting, and its generated history those of the session, without defaults of its own', () => {
    const { mirror, backfill } = stack.services
    const world = Object.keys({
      ...sessionSettings,
      ...worldSettings,
      collectors: collectorsSetting,
    }).map(environmentVariable)
    expect(Object.keys(backfill.environment!).toSorted()).toStrictEqual(world.toSorted())
    const passed = [
      ...declared.keys(),
      ...['session-file', 'cache', 'actions', 'truth', ...Object.keys(linkSettings)].map(environmentVariable),
    ]
    expect(Object.keys(mirror.environment!).toSorted()).toStrictEqual(passed.toSorted())
    expect(mirror.environment).toMatchObject(backfill.environment!)
    const variables = variablesOf('docker-compose.yml')
    expect([...declared.keys()].filter((name) => variables.get(name) !== '')).toStrictEqual([])
  })

  test('has a script describe the world by the same defaults', () => {
    const used = [...fileText('deploy/stack/load-backfill.sh').matchAll(/\$\{(DCSIM_\w+):-(\w+)\}/g)]
    expect(used.map(([, name]) => name).toSorted()).toStrictEqual([
      'DCSIM_BLIND',
      'DCSIM_SCALE',
      'DCSIM_SEED',
      'DCSIM_SOURCE',
    ])
    for (const [, name, fallback] of used) expect(declared.get(name)!.defaultText).toBe(fallback)
  })

  test('mounts volumes that it declares, and of the files of the user none that services but the mirror may change', () => {
    const mounts = services.flatMap(([name, { volumes = [] }]) => volumes.map((volume) => [name, volume]))
    const sources = mounts.map(
      ([, volume]) => volume.replace('${DCSIM_FILES:-sessions}', 'sessions').split(':')[0],
    )
    expect(new Set(sources)).toStrictEqual(new Set(Object.keys(stack.volumes)))
    const own = mounts.filter(([, volume]) => volume.startsWith('${DCSIM_FILES'))
    expect(own.filter(([, volume]) => !volume.endsWith(':/sessions:ro'))).toStrictEqual([
      // It answers `act` in a file beside that of the actions.
      ['mirror', '${DCSIM_FILES:-sessions}:/sessions'],
    ])
  })

  test('mounts volumes at places that the image has, with the owner who writes there', () => {
    const owners = [...fileText('Dockerfile').matchAll(/^RUN install .*--owner=(\d+) --group=\d+ (.*)$/gm)]
    const places = new Map(
      owners.flatMap(([, owner, list]) => list.split(' ').map((place) => [place, owner])),
    )
    const ofImage = services.filter(([, { image }]) => image === stack.services['mirror'].image)
    const written = ofImage.flatMap(([name, { user = '1000:1000', volumes = [] }]) =>
      volumes
        .map((volume) => volume.replace(/\$\{.*\}/, '').split(':'))
        .filter(([, , mode]) => mode !== 'ro')
        .map(([, place]) => [name, place, user.split(':')[0]]),
    )
    expect(written.map(([name, place]) => [name, place, places.get(place)])).toStrictEqual(written)
    expect(written.length).toBeGreaterThan(4)
  })
})

describe.runIf(isPosix)('Grafana', () => {
  const { entrypoint, environment } = stack.services['grafana']

  /** The environment that the image's own entrypoint would get. */
  function startedWith(password: string, host = '127.0.0.1') {
    const [shell, flag, text] = entrypoint!
    const command = text.replaceAll('$$', '$').replace('exec /run.sh', 'exec env')
    const { stdout } = spawnSync(shell, [flag, command], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GF_SECURITY_ADMIN_PASSWORD: password, GF_SERVER_DOMAIN: host },
    })
    return stdout.split('\n')
  }
  const noAdmin = [
    'GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION=true',
    'GF_AUTH_DISABLE_LOGIN_FORM=true',
    'GF_AUTH_BASIC_ENABLED=false',
  ]

  test('has no admin and no login without a password, and says how to get them', () => {
    expect(environment!['GF_SECURITY_ADMIN_PASSWORD']).toBe('${GRAFANA_ADMIN_PASSWORD:-}')
    expect(startedWith('')).toEqual(expect.arrayContaining(noAdmin))
    expect(startedWith('')[0]).toMatch(/set GRAFANA_ADMIN_PASSWORD in \.env\.$/)
  })

  test('has an admin with the password that is set', () => {
    const started = startedWith('a secret')
    expect(started).toContain('GF_SECURITY_ADMIN_PASSWORD=a secret')
    for (const setting of noAdmin) expect(started).not.toContain(setting)
  })

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['dc.example.net', 'dc.example.net'],
    // Grafana compares this part of the header "[fd00::20]:3000".
    ['[fd00::20]', '[fd00'],
  ])('redirects requests that name another host than %s', (host, domain) => {
    expect(environment).toMatchObject({
      GF_SERVER_DOMAIN: '${DCSIM_HOST:-127.0.0.1}',
      GF_SERVER_ENFORCE_DOMAIN: 'true',
    })
    expect(startedWith('', host)).toContain(`GF_SERVER_DOMAIN=${domain}`)
  })
})

test('the user of the image is a number', () => {
  expect(fileText('Dockerfile')).toMatch(/^USER 1000:1000$/m)
})

test('no history is generated for an upstream', () => {
  const { services: added } = readStack('deploy/compose/attach.yml')
  expect(added['backfill'].environment).toStrictEqual({
    DCSIM_SOURCE: 'http://game:9740',
    DCSIM_SESSION: '${DCSIM_SESSION:-game-${DCSIM_GAME_PORT}}',
  })
  expect(added['mirror'].environment).toStrictEqual(added['backfill'].environment)
  expect(added['load-backfill'].environment).toStrictEqual(added['backfill'].environment)
})

test('the forwarders to a game are as restricted as the stack', () => {
  const { services: added } = readStack('deploy/compose/attach.yml')
  for (const name of ['game', 'game-host']) {
    expect(added[name]).toMatchObject({
      image: stack.services['mirror'].image,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: 128,
    })
    expect(added[name].ports).toBeUndefined()
  }
})

test.each(['README.md', '.env.example', 'docker-compose.yml', 'docs/long-term.md', 'docs/sessions.md'])(
  '%s enables the long-term store by no flag, which every further command would need',
  (path) => expect(fileText(path)).not.toMatch(/--profile longterm up/),
)

test.runIf(isPosix)('the script of a service that runs once is valid shell', () => {
  expect(spawnSync('sh', ['-n', 'deploy/stack/load-backfill.sh'], { cwd: root }).status).toBe(0)
})

test('docs/offline.md saves all images', () => {
  const [, saved] = /^docker save -o \S+ (.+)$/m.exec(fileText('docs/offline.md'))!
  expect(saved.split(' ')).toEqual([...new Set(services.map(([, { image }]) => image))].toSorted())
})
