import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasTool } from '../fixtures/tools.ts'

const script = new URL('../../alerts/alertmanager.sh', import.meta.url).pathname

const printed = (environment: Readonly<Record<string, string>> = {}) => {
  const { status, stdout, stderr } = spawnSync('sh', [script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...environment },
  })
  return { status, stdout, stderr }
}

const everything = {
  DCSIM_ALERT_WEBHOOK: 'http://127.0.0.1:8080/hook',
  DCSIM_ALERT_DISCORD: 'https://discord.com/api/webhooks/1/a',
  DCSIM_ALERT_SLACK: 'https://hooks.slack.com/services/a',
  DCSIM_ALERT_NTFY: 'https://ntfy.sh/my-plant',
  DCSIM_ALERT_EMAIL: "smtp://me:p'a:s@s@mail.example:587/me@example.org",
}

const unusual = {
  DCSIM_ALERT_WEBHOOK: 'http://user:p%40ss@[::1]:8080/a%20b?c=d&e=[f]',
  DCSIM_ALERT_NTFY: 'https://ntfy_1.example/zürich?auth=QmFzaWM',
  DCSIM_ALERT_EMAIL: 'smtp://me@example.org:p/a@s@[::1]:25/me@example.org',
}

describe('what notifies', () => {
  test('nothing where no variable is set', () => {
    expect(printed().stdout).toMatch(/receivers:\n {2}- name: none\n {2}- name: notify\n$/)
  })

  test.each([
    ['DCSIM_ALERT_WEBHOOK', "    webhook_configs:\n      - url: 'http://127.0.0.1:8080/hook'\n"],
    [
      'DCSIM_ALERT_DISCORD',
      "    discord_configs:\n      - webhook_url: 'https://discord.com/api/webhooks/1/a'\n",
    ],
    ['DCSIM_ALERT_SLACK', "    slack_configs:\n      - api_url: 'https://hooks.slack.com/services/a'\n"],
    [
      'DCSIM_ALERT_NTFY',
      "    webhook_configs:\n      - url: 'https://ntfy.sh/my-plant?template=alertmanager'\n",
    ],
    [
      'DCSIM_ALERT_EMAIL',
      "    email_configs:\n      - to: 'me@example.org'\n        from: 'me@example.org'\n        smarthost: 'mail.example:587'\n" +
        "        send_resolved: true\n        auth_username: 'me'\n        auth_password: 'p''a:s@s'\n",
    ],
  ] as const)('%s alone is enough', (variable, expected) => {
    const { stdout } = printed({ [variable]: everything[variable] })
    expect(stdout.split('  - name: notify\n')[1].startsWith(expected)).toBe(true)
    expect(stdout.match(/_configs:/g)).toHaveLength(1)
  })

  test('an ntfy topic that has a query keeps it', () => {
    const { stdout } = printed({ DCSIM_ALERT_NTFY: 'https://ntfy.sh/my-plant?auth=QmFzaWM' })
    expect(stdout).toContain("- url: 'https://ntfy.sh/my-plant?auth=QmFzaWM&template=alertmanager'\n")
  })

  const url = 'an http or https URL'
  const mail = 'smtp://user:password@host:port/oncall@example.org'
  test.each([
    ['DCSIM_ALERT_WEBHOOK', 'my-host:8080', url],
    ['DCSIM_ALERT_WEBHOOK', 'http://a b c', url],
    ['DCSIM_ALERT_WEBHOOK', 'https://[::1', url],
    ['DCSIM_ALERT_WEBHOOK', 'https://a/\x07', url],
    ['DCSIM_ALERT_WEBHOOK', 'https://a/%zz', url],
    ['DCSIM_ALERT_WEBHOOK', 'https://a:b/', url],
    ['DCSIM_ALERT_NTFY', 'my-plant', url],
    ['DCSIM_ALERT_SLACK', 'https://a\nb', url],
    ['DCSIM_ALERT_SLACK', 'hooks.slack.com/services/secret', url],
    ['DCSIM_ALERT_DISCORD', 'https://', url],
    ['DCSIM_ALERT_EMAIL', 'me@example.org', mail],
    ['DCSIM_ALERT_EMAIL', 'smtp://secret', mail],
    ['DCSIM_ALERT_EMAIL', 'smtp://me:p@ss@mail:587', mail],
    ['DCSIM_ALERT_EMAIL', 'smtp://me:pass', mail],
    ['DCSIM_ALERT_EMAIL', 'smtp://me:pass@[::1:25/me@example.org', mail],
    ['DCSIM_ALERT_EMAIL', 'smtp://me:pa\nss@mail:25/me@example.org', mail],
  ])('%s as %j is refused, and neither it nor a configuration is printed', (variable, value, expected) => {
    expect(printed({ [variable]: value })).toStrictEqual({
      status: 2,
      stdout: '',
      stderr: `${variable}: invalid value (not shown), expected ${expected}\n`,
    })
  })

  test('all invalid variables are named at once', () => {
    const { stderr } = printed({ DCSIM_ALERT_DISCORD: 'me', DCSIM_ALERT_EMAIL: 'me' })
    expect(stderr.match(/^DCSIM_ALERT_\w+/gm)).toStrictEqual(['DCSIM_ALERT_DISCORD', 'DCSIM_ALERT_EMAIL'])
  })
})

describe.skipIf(!hasTool('amtool'))('amtool (skipped where there is none)', () => {
  let folder: string
  let file: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'alertmanager-'))
    file = join(folder, 'alertmanager.yml')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const amtool = (...args: readonly string[]) => spawnSync('amtool', args, { encoding: 'utf8' })

  test.each([
    ['without a notification', {}],
    ['with every notification', everything],
    ['with unusual URLs', unusual],
  ])('finds nothing wrong %s', (_, environment) => {
    writeFileSync(file, printed(environment).stdout)
    const { status, stdout } = amtool('check-config', file)
    expect(stdout).toContain('SUCCESS')
    expect(status).toBe(0)
  })

  test.each([
    [['severity=critical', 'incident=7'], 'notify'],
    [['severity=critical', 'az=2'], 'notify'],
    [['severity=warning', 'incident=7'], 'notify'],
    [['severity=warning'], 'notify'],
    [['severity=info', 'incident=7'], 'none'],
    [['severity=info', 'alertname=DcsimWatchdog'], 'none'],
  ])('routes %j to %s', (labels, receiver) => {
    writeFileSync(file, printed().stdout)
    const { stdout } = amtool('config', 'routes', 'test', `--config.file=${file}`, ...labels)
    expect(stdout.trim()).toBe(receiver)
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
