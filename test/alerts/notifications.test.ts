import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { problems, writeConfiguration } from '../../alerts/notifications/configuration.ts'
import { sections, withSection } from '../../alerts/notifications/sections.ts'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { isPosix } from '../fixtures/tools.ts'
import { everyChannel } from './every-channel.ts'

const folder = mkdtempSync(join(tmpdir(), 'notifications-'))
beforeEach(() => rmSync(folder, { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Entry = Readonly<Record<string, unknown>>
/** By channel, and by the name of its list of integrations. */
type ExpectedChannels = Readonly<Record<string, Readonly<Record<string, Entry>>>>
interface Configuration {
  readonly templates: readonly string[]
  readonly receivers: readonly ({ readonly name: string } & Readonly<Record<string, readonly Entry[]>>)[]
}

/** Lists of integrations by receiver. */
function written(environment: Readonly<Record<string, string>>): Record<string, Record<string, Entry[]>> {
  expect(problems(environment)).toStrictEqual([])
  writeConfiguration(folder, environment)
  const { receivers } = parse(readFileSync(join(folder, 'alertmanager.yml'), 'utf8')) as Configuration
  return Object.fromEntries(
    receivers.map(({ name, ...lists }) => [name, lists as unknown as Record<string, Entry[]>]),
  )
}

function run(environment: NodeJS.ProcessEnv, ...words: readonly string[]) {
  const all = ['alerts/notifications/main.ts', folder, ...words]
  return spawnSync(process.execPath, all, { encoding: 'utf8', env: environment })
}

const secret = (name: string): string => readFileSync(join(folder, 'secrets', name), 'utf8')
const path = (name: string): string => join(folder, 'secrets', name)

describe('notified severities', () => {
  test('nothing where no variable is set', () => {
    expect(written({})).toStrictEqual({ none: {}, watchdog: {}, critical: {}, warning: {} })
    expect(readdirSync(join(folder, 'secrets'))).toStrictEqual([])
  })

  test('has routes, inhibition and templates', () => {
    written({})
    const text = readFileSync(join(folder, 'alertmanager.yml'), 'utf8')
    const { route, inhibit_rules, templates } = parse(text) as Record<string, unknown>
    expect(route).toMatchObject({ receiver: 'none' })
    expect(inhibit_rules).toHaveLength(
      parse(generatedFiles(defaultSettings).get('inhibit-rules.yml')!).length,
    )
    expect(templates).toStrictEqual([join(folder, 'templates/*.tmpl')])
    const shipped = readdirSync(new URL('../../alerts/templates/', import.meta.url))
    expect(readdirSync(join(folder, 'templates'))).toStrictEqual(shipped)
  })

  const channels = parse(readFileSync(new URL('channels.yml', import.meta.url), 'utf8')) as ExpectedChannels
  test.each(Object.entries(channels))('DCSIM_ALERT_%s alone is enough', (name, channel) => {
    const variable = `DCSIM_ALERT_${name}` as keyof typeof everyChannel
    const [[list, settings]] = Object.entries(channel)
    const expected = Object.entries(settings).map(([key, value]) => [
      key,
      key.endsWith('_file') ? path(String(value)) : value,
    ])
    const { critical, warning } = written({ [variable]: everyChannel[variable] })
    expect(critical).toStrictEqual({ [list]: [{ ...Object.fromEntries(expected), send_resolved: true }] })
    expect(Object.keys(warning)).toStrictEqual([list])
  })

  test('secrets are in files that their owner alone reads', () => {
    written(everyChannel)
    const text = readFileSync(join(folder, 'alertmanager.yml'), 'utf8')
    const expected = {
      'webhook-critical': 'http://127.0.0.1:8080/hook',
      'discord-critical': 'https://discord.com/api/webhooks/1/a',
      'slack-critical': 'https://hooks.slack.com/services/a',
      'teams-critical': 'https://prod.example/workflows/a?api-version=1&sig=b_c-d',
      'ntfy-critical': 'https://ntfy.sh/',
      'email-critical': "p'a:s@s",
      'telegram-critical': '123456:AAbb_cc-dddddddddddddddddd',
      'pagerduty-critical': 'k'.repeat(32),
      'pushover-token-critical': 't'.repeat(30),
      'pushover-user-critical': 'u'.repeat(30),
      'webhook-watchdog': 'https://hc-ping.com/a-b',
    }
    for (const [name, value] of Object.entries(expected)) {
      expect(secret(name)).toBe(value)
      expect(statSync(path(name)).mode & 0o777).toBe(isPosix ? 0o600 : 0o666)
      expect(text).not.toContain(value)
    }
    expect(readdirSync(join(folder, 'secrets'))).toHaveLength(21)
  })

  test('an address of one severity stands in for the general one', () => {
    written({ DCSIM_ALERT_SLACK: 'https://a/general', DCSIM_ALERT_SLACK_CRITICAL: 'https://a/critical' })
    expect([secret('slack-critical'), secret('slack-warning')]).toStrictEqual([
      'https://a/critical',
      'https://a/general',
    ])
    const { critical, warning } = written({ DCSIM_ALERT_SLACK_WARNING: 'https://a/warning' })
    expect(critical).toStrictEqual({})
    expect(warning['slack_configs']).toHaveLength(1)
    // The secret of the previous configuration has been removed.
    expect(readdirSync(join(folder, 'secrets'))).toStrictEqual(['slack-warning'])
  })

  test('the watchdog is sent to its own address, which nothing else is sent to', () => {
    expect(written({ DCSIM_ALERT_WATCHDOG: everyChannel.DCSIM_ALERT_WATCHDOG })).toStrictEqual({
      none: {},
      watchdog: { webhook_configs: [{ url_file: path('webhook-watchdog'), send_resolved: false }] },
      critical: {},
      warning: {},
    })
  })

  test('webhook and ntfy are of one kind to Alertmanager', () => {
    const { warning } = written(everyChannel)
    expect(warning['webhook_configs'].map(({ url_file }) => url_file)).toStrictEqual([
      path('webhook-warning'),
      path('ntfy-warning'),
    ])
  })

  test('an ntfy topic that has a query keeps it', () => {
    const { critical } = written({ DCSIM_ALERT_NTFY: 'https://ntfy.sh/my-topic?auth=Qm/FzaWM' })
    expect(secret('ntfy-critical')).toBe('https://ntfy.sh/?auth=Qm/FzaWM')
    expect(critical['webhook_configs'][0]).toMatchObject({ payload: { topic: 'my-topic' } })
  })

  test.each(['&template=alertmanager', '&tpl=yes'])(
    'an ntfy topic with a template of its own (%s) gets what that template reads',
    (query) => {
      const own = `https://ntfy.sh/my-topic?auth=QmFzaWM${query}`
      const { critical } = written({ DCSIM_ALERT_NTFY: own })
      expect(secret('ntfy-critical')).toBe(own)
      expect(critical['webhook_configs']).toStrictEqual([
        { url_file: path('ntfy-critical'), send_resolved: true },
      ])
    },
  )

  const url = 'an http or https URL'
  const topic = 'the URL of a topic, such as https://ntfy.sh/my-topic'
  const mail = 'smtp://user:password@host:port/oncall@example.org'
  test.each([
    ['DCSIM_ALERT_WEBHOOK', 'my-host:8080', 'my-… (12 characters)', url],
    ['DCSIM_ALERT_WEBHOOK', 'http://a b c', '… (12 characters)', url],
    ['DCSIM_ALERT_WEBHOOK', 'https://[::1', '… (12 characters)', url],
    ['DCSIM_ALERT_WEBHOOK', 'https://a/\x07', 'https://a/… (11 characters)', url],
    ['DCSIM_ALERT_WEBHOOK', 'https://a/%zz', 'https://a/… (13 characters)', url],
    ['DCSIM_ALERT_WEBHOOK', 'https://a/{{ .Secret }}', 'https://a/… (23 characters)', url],
    ['DCSIM_ALERT_WEBHOOK', 'https://a:b/', '… (12 characters)', url],
    ['DCSIM_ALERT_WATCHDOG', 'hc-ping.com/uuid', 'hc-… (16 characters)', url],
    ['DCSIM_ALERT_NTFY', 'my-topic', 'my-… (8 characters)', topic],
    ['DCSIM_ALERT_NTFY', 'https://ntfy.sh/', 'https://ntfy.sh/… (16 characters)', topic],
    ['DCSIM_ALERT_NTFY', 'https://ntfy.sh/123', 'https://ntfy.sh/… (19 characters)', topic],
    ['DCSIM_ALERT_SLACK', 'https://a\nb', '… (11 characters)', url],
    ['DCSIM_ALERT_SLACK', 'hooks.slack.com/services/secret', 'hoo… (31 characters)', url],
    ['DCSIM_ALERT_TEAMS_CRITICAL', 'teams', 'tea… (5 characters)', url],
    ['DCSIM_ALERT_DISCORD', 'https://', '… (8 characters)', url],
    ['DCSIM_ALERT_EMAIL', 'me@example.org', 'me@… (14 characters)', mail],
    ['DCSIM_ALERT_EMAIL', 'smtp://secret', 'smt… (13 characters)', mail],
    ['DCSIM_ALERT_EMAIL', 'smtp://me:p@ss@mail:587', 'smt… (23 characters)', mail],
    ['DCSIM_ALERT_EMAIL', 'smtp://me:pass@[::1:25/me@example.org', 'smt… (37 characters)', mail],
    ['DCSIM_ALERT_EMAIL', 'smtp://me:pa\nss@mail:25/me@example.org', 'smt… (38 characters)', mail],
    [
      'DCSIM_ALERT_TELEGRAM',
      '123456:secret',
      '123… (13 characters)',
      "TOKEN@CHAT: a bot's token and the number of a chat, such as 123456:ABC…@-1001234567890",
    ],
    ['DCSIM_ALERT_PAGERDUTY', 'key', 'key… (3 characters)', 'an integration key of 32 letters and digits'],
    [
      'DCSIM_ALERT_PUSHOVER',
      't'.repeat(30),
      'ttt… (30 characters)',
      "TOKEN@USER: an application's token and a user's key, of 30 letters and digits each",
    ],
  ])('%s as %j is refused in one line', (variable, value, shown, expected) => {
    expect(problems({ [variable]: value })).toStrictEqual([`${variable}: got ${shown}, expected ${expected}`])
  })

  test('all invalid variables are named at once, and nothing is written', () => {
    const { status, stdout, stderr } = run({ DCSIM_ALERT_DISCORD: 'me', DCSIM_ALERT_EMAIL_WARNING: 'me' })
    expect([status, stdout, stderr]).toStrictEqual([
      2,
      '',
      `DCSIM_ALERT_DISCORD: got me… (2 characters), expected ${url}\n` +
        `DCSIM_ALERT_EMAIL_WARNING: got me… (2 characters), expected ${mail}\n`,
    ])
    expect(existsSync(folder)).toBe(false)
    expect(run({ DCSIM_ALERT_DISCORD: '' })).toMatchObject({
      status: 0,
      stdout: `Wrote ${folder}/alertmanager.yml for Alertmanager 0.32 or newer.\n`,
      stderr: '',
    })
    expect(existsSync(join(folder, 'alertmanager.yml'))).toBe(true)
  })
})

test.each([
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:9093', ['Runbook', 'Silence']],
  ['http://192.168.1.20:3000/', 'http://127.0.0.1:9093', ['Runbook']],
  ['https://dc.example.net/', 'http://[::1]:9093', ['Runbook']],
  ['http://192.168.1.20:3000/', 'http://192.168.1.20:9093', ['Runbook', 'Silence']],
])('who reads %s, with Alertmanager at %s, gets the buttons %j', (grafana, alertmanager, buttons) => {
  const { critical } = written({
    DCSIM_ALERT_NTFY: everyChannel['DCSIM_ALERT_NTFY'],
    DCSIM_GRAFANA_URL: grafana,
    DCSIM_ALERTMANAGER_URL: alertmanager,
  })
  const { payload } = critical['webhook_configs'][0] as { payload: { actions: { label: string }[] } }
  expect(payload.actions.map(({ label }) => label)).toStrictEqual(buttons)
})

test('a config file changes routes, and own templates are read behind those that they define again', () => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'tuning.json'), '{ "identity": ["cluster"] }')
  writeFileSync(join(folder, 'a.tmpl'), '{{ define "dcsim.title" }}mine{{ end }}')
  const words = [`--config=${join(folder, 'tuning.json')}`, `--template=${join(folder, 'a.tmpl')}`]
  const { status, stderr } = run({}, ...words)
  expect([status, stderr]).toStrictEqual([0, ''])
  const { route } = parse(readFileSync(join(folder, 'alertmanager.yml'), 'utf8')) as {
    route: { group_by: readonly string[] }
  }
  expect(route.group_by).toContain('cluster')
  expect(readdirSync(join(folder, 'templates')).toSorted().at(-1)).toBe('own-a.tmpl')
})

test.each(Object.keys(sections))('%s lists the channels (else: npm run alerts)', (file) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  expect(withSection(file, text)).toBe(text)
  expect(text).toContain('DCSIM_ALERT_PUSHOVER')
})

test('every template of a channel is defined', () => {
  written(everyChannel)
  const configuration = readFileSync(join(folder, 'alertmanager.yml'), 'utf8')
  const templates = new URL('../../alerts/templates/', import.meta.url)
  const texts = readdirSync(templates).map((name) => readFileSync(new URL(name, templates), 'utf8'))
  // The configuration is YAML, where a text may have its quotes escaped.
  const named = (text: string, verb: string): Set<string> => {
    const names = text.matchAll(new RegExp(`\\{\\{ ${verb} \\\\?"(dcsim\\.[\\w.]+)`, 'g'))
    return new Set(Array.from(names, ([, name]) => name))
  }
  const used = named(configuration, 'template').union(named(texts.join(''), 'template'))
  expect(used.size).toBeGreaterThan(10)
  expect([...used.difference(named(texts.join(''), 'define'))]).toStrictEqual([])
})

test('labels that identify a target are known to every grouping and inhibition', () => {
  const files = generatedFiles({ ...defaultSettings, identity: ['cluster'] })
  const [routes, inhibitions] = ['routes.yml', 'inhibit-rules.yml'].map((name) => files.get(name)!)
  const targets = routes.match(/- session\n/g)!
  expect(targets.length).toBeGreaterThan(3)
  expect(routes.match(/- session\n +- cluster\n/g)).toHaveLength(targets.length)
  expect(inhibitions.match(/- session\n +- cluster\n/g)).toHaveLength(inhibitions.match(/equal:/g)!.length)
})
