/** Addresses of channels in files, as Compose's secrets bring them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { everyVariable } from '../../alerts/notifications/channels.ts'
import { secretsDirectory, withSecrets } from '../../alerts/notifications/secrets.ts'
import { fileText, stack } from '../containers/stack-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

const secret = (name: string, text: string): void => writeFileSync(join(folder, name), text)

describe('a file in place of a variable', () => {
  test.each([
    ['https://a/b', 'https://a/b'],
    ['https://a/b\n', 'https://a/b'],
    ['https://a/b\r\n', 'https://a/b'],
    [' two\nlines\n\n', ' two\nlines\n'],
    ['', ''],
  ])('of %j is the value %j', (text, value) => {
    secret('DCSIM_ALERT_SLACK', text)
    expect(withSecrets({ PATH: '/bin', DCSIM_ALERT_SLACK: '' }, folder)).toStrictEqual({
      environment: { PATH: '/bin', DCSIM_ALERT_SLACK: value },
      problems: [],
    })
  })

  test('is refused beside the variable, with both names', () => {
    secret('DCSIM_ALERT_SLACK', 'https://a/b')
    expect(withSecrets({ DCSIM_ALERT_SLACK: 'https://a/c' }, folder).problems).toStrictEqual([
      `DCSIM_ALERT_SLACK: got a variable and the file ${join(folder, 'DCSIM_ALERT_SLACK')}, expected one of them`,
    ])
  })

  test('is refused where no variable has its name, unless it is for another program', () => {
    secret('DCSIM_ALERT_SLAK_CRITICAL', 'https://a/b')
    secret('grafana_password', 'p')
    expect(withSecrets({}, folder)).toStrictEqual({
      environment: {},
      problems: [
        `${join(folder, 'DCSIM_ALERT_SLAK_CRITICAL')}: expected the name of a variable, such as DCSIM_ALERT_SLACK_CRITICAL`,
      ],
    })
  })

  test('is named where it cannot be read', () => {
    mkdirSync(join(folder, 'DCSIM_ALERT_NTFY'))
    expect(withSecrets({}, folder).problems).toStrictEqual([
      `DCSIM_ALERT_NTFY: ${join(folder, 'DCSIM_ALERT_NTFY')} cannot be read (EISDIR), expected a file that user ${process.getuid?.() ?? 'of this process'} may read`,
    ])
  })

  test('need not be there, nor its directory', () => {
    const environment = { DCSIM_ALERT_SLACK: 'https://a/b' }
    expect(withSecrets(environment, join(folder, 'none'))).toStrictEqual({ environment, problems: [] })
  })
})

describe('npm run node alerts/notifications/main.ts', () => {
  const program = 'alerts/notifications/main.ts'
  const run = (environment: Readonly<Record<string, string>>) => {
    const out = join(folder, 'out')
    const { status, stderr } = spawnSync(process.execPath, [program, out, '--secrets', folder], {
      encoding: 'utf8',
      env: environment,
    })
    return { status, stderr, out }
  }

  test('takes addresses from files', () => {
    secret('DCSIM_ALERT_SLACK_WARNING', 'https://hooks.slack.com/services/a\n')
    const { status, stderr, out } = run({ DCSIM_ALERT_NTFY_CRITICAL: 'https://ntfy.sh/my-topic' })
    expect([status, stderr]).toStrictEqual([0, ''])
    expect(readFileSync(join(out, 'secrets/slack-warning'), 'utf8')).toBe(
      'https://hooks.slack.com/services/a',
    )
    expect(readFileSync(join(out, 'secrets/ntfy-critical'), 'utf8')).toBe('https://ntfy.sh/')
  })

  test('says everything that is wrong, in files and values, without their content', () => {
    secret('DCSIM_ALERT_SLACK', 'hooks.slack.com/services/secret')
    secret('DCSIM_ALERT_DISCORD', 'https://discord.com/api/webhooks/1/a')
    const { status, stderr, out } = run({ DCSIM_ALERT_DISCORD: 'https://discord.com/api/webhooks/1/b' })
    expect([status, stderr]).toStrictEqual([
      2,
      `DCSIM_ALERT_DISCORD: got a variable and the file ${join(folder, 'DCSIM_ALERT_DISCORD')}, expected one of them\n` +
        'DCSIM_ALERT_SLACK: got hoo… (31 characters), expected an http or https URL\n',
    ])
    expect(existsSync(out)).toBe(false)
  })
})

test('the override of the page grants secrets that have the names of variables to the service that reads them', () => {
  const [, block] = /```yaml\n# docker-compose\.override\.yml\n([^]*?)```/.exec(fileText('docs/alerts.md'))!
  const { services, secrets } = parse(block) as {
    services: Readonly<Record<string, { readonly secrets: readonly string[] }>>
    secrets: Readonly<Record<string, { readonly file: string }>>
  }
  expect(Object.keys(services)).toStrictEqual(['notifications'])
  expect(stack.services['notifications'].environment).toHaveProperty('DCSIM_ALERT_SLACK')
  expect(services['notifications'].secrets).toStrictEqual(Object.keys(secrets))
  for (const name of Object.keys(secrets)) expect(everyVariable).toContain(name)
  expect(fileText('.gitignore')).toContain('\n/secrets/\n')
  for (const { file } of Object.values(secrets)) expect(file).toMatch(/^\.\/secrets\//)
  expect(secretsDirectory).toBe('/run/secrets')
})
