import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { alertNames } from '../../alerts/alert-cases.ts'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { hasTool } from '../fixtures/tools.ts'
import { findAlertmanager } from './inbox/program.ts'

const script = new URL('../../alerts/alertmanager.sh', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'alertmanager-'))
const file = join(folder, 'alertmanager.yml')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(environment: Readonly<Record<string, string>> = {}) {
  rmSync(folder, { recursive: true, force: true })
  const { status, stdout, stderr } = spawnSync('sh', [script, folder], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...environment },
  })
  return { status, stdout, stderr }
}

function written(environment: Readonly<Record<string, string>> = {}): string {
  expect(run(environment)).toStrictEqual({ status: 0, stdout: '', stderr: '' })
  return readFileSync(file, 'utf8')
}

const secret = (name: string): string => readFileSync(join(folder, 'secrets', name), 'utf8')

const [token, key] = ['t'.repeat(30), 'k'.repeat(32)]
const everything = {
  DCSIM_ALERT_WEBHOOK: 'http://127.0.0.1:8080/hook',
  DCSIM_ALERT_DISCORD: 'https://discord.com/api/webhooks/1/a',
  DCSIM_ALERT_SLACK: 'https://hooks.slack.com/services/a',
  DCSIM_ALERT_TEAMS: 'https://prod.example/workflows/a?api-version=1&sig=b_c-d',
  DCSIM_ALERT_NTFY: 'https://ntfy.sh/my-topic',
  DCSIM_ALERT_EMAIL: "smtp://me:p'a:s@s@mail.example:587/me@example.org",
  DCSIM_ALERT_TELEGRAM: '123456:AAbb_cc-dddddddddddddddddd@-1001234567890',
  DCSIM_ALERT_PAGERDUTY: key,
  DCSIM_ALERT_PUSHOVER: `${token}@${'u'.repeat(30)}`,
  DCSIM_ALERT_WATCHDOG: 'https://hc-ping.com/a-b',
}

const unusual = {
  DCSIM_ALERT_WEBHOOK: 'http://user:p%40ss@[::1]:8080/a%20b?c=d&e=[f]',
  DCSIM_ALERT_NTFY: 'https://ntfy_1.example/zürich?auth=QmFzaWM',
  DCSIM_ALERT_EMAIL: 'smtp://me@example.org:p/a@s@[::1]:25/me@example.org',
}

describe('what notifies', () => {
  test('nothing where no variable is set', () => {
    expect(written()).toMatch(
      /receivers:\n {2}- name: none\n {2}- name: watchdog\n {2}- name: critical\n {2}- name: warning\n$/,
    )
  })

  test.each([
    ['WEBHOOK', 'webhook', 'webhook-critical', 'http://127.0.0.1:8080/hook'],
    ['DISCORD', 'discord', 'discord-critical', 'https://discord.com/api/webhooks/1/a'],
    ['SLACK', 'slack', 'slack-critical', 'https://hooks.slack.com/services/a'],
    ['TEAMS', 'msteamsv2', 'teams-critical', 'https://prod.example/workflows/a?api-version=1&sig=b_c-d'],
    ['NTFY', 'webhook', 'ntfy-critical', 'https://ntfy.sh/'],
    ['EMAIL', 'email', 'email-critical', "p'a:s@s"],
    ['TELEGRAM', 'telegram', 'telegram-critical', '123456:AAbb_cc-dddddddddddddddddd'],
    ['PAGERDUTY', 'pagerduty', 'pagerduty-critical', key],
    ['PUSHOVER', 'pushover', 'pushover-user-critical', 'u'.repeat(30)],
  ] as const)('DCSIM_ALERT_%s alone is enough', (name, kind, secretFile, expected) => {
    const text = written({ [`DCSIM_ALERT_${name}`]: everything[`DCSIM_ALERT_${name}`] })
    expect(text.match(/\w+_configs:/g)).toStrictEqual([`${kind}_configs:`, `${kind}_configs:`])
    expect(text).toContain(`'${folder}/secrets/${secretFile}'`)
    expect(secret(secretFile)).toBe(expected)
    expect(text).not.toContain(expected)
  })

  test('an address of one severity stands in for the general one', () => {
    written({ DCSIM_ALERT_SLACK: 'https://a/general', DCSIM_ALERT_SLACK_CRITICAL: 'https://a/critical' })
    expect([secret('slack-critical'), secret('slack-warning')]).toStrictEqual([
      'https://a/critical',
      'https://a/general',
    ])
    const text = written({ DCSIM_ALERT_SLACK_WARNING: 'https://a/warning' })
    expect(text.match(/slack_configs:/g)).toHaveLength(1)
    expect(existsSync(join(folder, 'secrets/slack-critical'))).toBe(false)
  })

  test('the watchdog is sent to its own address, which nothing else is sent to', () => {
    const text = written({ DCSIM_ALERT_WATCHDOG: everything.DCSIM_ALERT_WATCHDOG })
    expect(text.match(/url_file: .*/g)).toStrictEqual([`url_file: '${folder}/secrets/webhook-watchdog'`])
    expect(secret('webhook-watchdog')).toBe('https://hc-ping.com/a-b')
  })

  test('an ntfy topic that has a query keeps it', () => {
    const text = written({ DCSIM_ALERT_NTFY: 'https://ntfy.sh/my-topic?auth=QmFzaWM' })
    expect(secret('ntfy-critical')).toBe('https://ntfy.sh/?auth=QmFzaWM')
    expect(text).toContain("topic: 'my-topic'")
  })

  test('an ntfy topic with a template of its own gets what that template reads', () => {
    const own = 'https://ntfy.sh/my-topic?auth=QmFzaWM&template=alertmanager'
    const text = written({ DCSIM_ALERT_NTFY: own })
    expect(secret('ntfy-critical')).toBe(own)
    expect(text).not.toContain('payload')
  })

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
      token,
      'ttt… (30 characters)',
      "TOKEN@USER: an application's token and a user's key, of 30 letters and digits each",
    ],
  ])('%s as %j is refused in one line, and nothing is written', (variable, value, shown, expected) => {
    expect(run({ [variable]: value })).toStrictEqual({
      status: 2,
      stdout: '',
      stderr: `${variable}: got ${shown}, expected ${expected}\n`,
    })
    expect(existsSync(folder)).toBe(false)
  })

  test('all invalid variables are named at once', () => {
    const { stderr } = run({ DCSIM_ALERT_DISCORD: 'me', DCSIM_ALERT_EMAIL: 'me' })
    expect(stderr.match(/^DCSIM_ALERT_\w+/gm)).toStrictEqual(['DCSIM_ALERT_DISCORD', 'DCSIM_ALERT_EMAIL'])
  })
})

/** `Dcsim(A|B)` as DcsimA and DcsimB. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/Dcsim(\w+)?(?:\(([\w|]+)\))?/g)].flatMap(([, first = '', others = '']) =>
    others.split('|').map((one) => `Dcsim${first}${one}`),
  )

test('grouping and inhibition name alerts that exist', () => {
  const files = generatedFiles(defaultSettings)
  const named = ['routes.yml', 'inhibit-rules.yml'].flatMap((name) => namesIn(files.get(name)!))
  expect(named).toContain('DcsimIncidentMajor')
  expect(named.filter((name) => !(alertNames as readonly string[]).includes(name))).toStrictEqual([])
})

test('labels that identify a target are known to every grouping and inhibition', () => {
  const files = generatedFiles({ ...defaultSettings, identity: ['cluster'] })
  const [routes, inhibitions] = ['routes.yml', 'inhibit-rules.yml'].map((name) => files.get(name)!)
  const targets = routes.match(/- session\n/g)!
  expect(targets.length).toBeGreaterThan(3)
  expect(routes.match(/- session\n +- cluster\n/g)).toHaveLength(targets.length)
  expect(inhibitions.match(/- session\n +- cluster\n/g)).toHaveLength(inhibitions.match(/equal:/g)!.length)
})

const programs = findAlertmanager()

describe.skipIf(programs === null)('amtool (skipped where there is no Alertmanager)', () => {
  const amtool = (...args: readonly string[]) => spawnSync(programs!.amtool, args, { encoding: 'utf8' })

  test.each([
    ['without a notification', {}],
    ['with every notification', everything],
    ['with unusual URLs', unusual],
  ])('finds nothing wrong %s', (_, environment) => {
    written(environment)
    const { status, stdout } = amtool('check-config', file)
    expect(stdout).toContain('SUCCESS')
    expect(status).toBe(0)
  })

  test('takes the URLs that are in files', () => {
    for (const url of [...Object.values(everything), ...Object.values(unusual)]) {
      if (!url.startsWith('http')) continue
      written()
      const text = readFileSync(file, 'utf8')
      const receiver = `  - name: urls\n    webhook_configs:\n      - url: '${url}'\n`
      writeFileSync(file, text.replace('receivers:\n', `receivers:\n${receiver}`))
      expect.soft({ url, status: amtool('check-config', file).status }).toStrictEqual({ url, status: 0 })
    }
  })

  test.each([
    [['severity=critical', 'incident=7'], 'critical'],
    [['severity=critical', 'az=2'], 'critical'],
    [['severity=warning', 'incident=7'], 'warning'],
    [['severity=warning'], 'warning'],
    [['severity=info', 'incident=7'], 'none'],
    [['severity=info', 'alertname=DcsimWatchdog'], 'watchdog'],
    [['severity=info', 'alertname=Watchdog'], 'none'],
  ])('routes %j to %s', (labels, receiver) => {
    written()
    const { stdout } = amtool('config', 'routes', 'test', `--config.file=${file}`, ...labels)
    expect(stdout.trim()).toBe(receiver)
  })

  test.each([
    ['DcsimIncidentMajor', ['incident=7'], 'alertname=~"DcsimIncident(Major|OfUnknownBand)",'],
    ['DcsimIncidentWorsens', ['incident=7', 'az=2'], 'incident=~".+",'],
    ['DcsimSlaBudgetBurnsSlowly', ['tier=Gold'], 'alertname="DcsimSlaBudgetBurnsSlowly",'],
    ['DcsimSlaBudgetBurnsFast', ['tier=Gold'], 'alertname="DcsimSlaBudgetBurnsFast",'],
    ['DcsimHostDown', ['az=2', 'host=7'], 'az=~".+",'],
    ['DcsimMirrorSlow', [], ''],
  ])('takes the warning %s %j by one route', (name, labels, matcher) => {
    written()
    const all = ['severity=warning', `alertname=${name}`, ...labels]
    const { stdout } = amtool('config', 'routes', 'test', '--tree', `--config.file=${file}`, ...all)
    expect(stdout.match(/\{.*\}.*/g)).toStrictEqual([
      expect.stringMatching(
        new RegExp(`^\\{${RegExp.escape(matcher)}severity="warning"\\} +receiver: warning$`),
      ),
    ])
  })
})

describe.skipIf(!hasTool('promtool'))('promtool (skipped where there is none)', () => {
  test('finds nothing wrong with the configuration of Prometheus', () => {
    const configuration = new URL('../../alerts/prometheus.yml', import.meta.url).pathname
    const { status, stdout } = spawnSync('promtool', ['check', 'config', configuration], { encoding: 'utf8' })
    expect(stdout).toContain('SUCCESS')
    expect(status).toBe(0)
  })

  test('has the rules where the stack puts them', () => {
    const stack = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8')
    const configuration = readFileSync(new URL('../../alerts/prometheus.yml', import.meta.url), 'utf8')
    expect(stack).toContain('./alerts/prometheus.yml:/prometheus.yml:ro')
    expect(stack).toContain('./alerts/generated:/rules:ro')
    expect(configuration).toContain('rule_files:\n  - rules/*.rules.yaml\n')
  })
})
