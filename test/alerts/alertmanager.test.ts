import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeConfiguration } from '../../alerts/notifications/configuration.ts'
import { hasTool } from '../fixtures/tools.ts'
import { everyChannel } from './every-channel.ts'
import { findAlertmanager, removePrograms } from './inbox/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'alertmanager-'))
const file = join(folder, 'alertmanager.yml')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterAll(removePrograms)

const written = (environment: Readonly<Record<string, string>>): void =>
  writeConfiguration(folder, environment)

const unusual = {
  DCSIM_ALERT_WEBHOOK: 'http://user:p%40ss@[::1]:8080/a%20b?c=d&e=[f]',
  DCSIM_ALERT_NTFY: 'https://ntfy_1.example/zürich?auth=QmFzaWM',
  DCSIM_ALERT_EMAIL: 'smtp://me@example.org:p/a@s@[::1]:25/me@example.org',
}

const programs = findAlertmanager()

describe.skipIf(programs === null)('amtool (skipped where there is no Alertmanager)', () => {
  const amtool = (...args: readonly string[]) => spawnSync(programs!.amtool, args, { encoding: 'utf8' })

  test.each([
    ['without a notification', {}],
    ['with every notification', everyChannel],
    ['with unusual URLs', unusual],
  ])('finds nothing wrong %s', (_, environment) => {
    written(environment)
    const { status, stdout } = amtool('check-config', file)
    expect(stdout).toContain('SUCCESS')
    expect(status).toBe(0)
  })

  test('takes the URLs that are in files', () => {
    for (const url of [...Object.values(everyChannel), ...Object.values(unusual)]) {
      if (!url.startsWith('http')) continue
      written({})
      const text = readFileSync(file, 'utf8')
      const receiver = { name: 'urls', webhook_configs: [{ url }] }
      writeFileSync(file, text.replace('receivers: [', `receivers: [${JSON.stringify(receiver)},`))
      expect.soft({ url, status: amtool('check-config', file).status }).toStrictEqual({ url, status: 0 })
    }
  })

  test.each([
    ['DcsimIncidentMajor', ['incident=7'], 'alertname=~"Dcsim(IncidentMajor|IncidentOfUnknownBand)",'],
    ['DcsimIncidentWorsens', ['incident=7', 'az=2'], 'incident=~".+",'],
    ['DcsimSlaBudgetBurnsSlowly', ['tier=Gold'], 'alertname="DcsimSlaBudgetBurnsSlowly",'],
    ['DcsimSlaBudgetBurnsFast', ['tier=Gold'], 'alertname="DcsimSlaBudgetBurnsFast",'],
    ['DcsimHostDown', ['az=2', 'host=7'], 'az=~".+",'],
    ['DcsimMirrorSlow', [], ''],
  ])('takes the warning %s %j by one route', (name, labels, matcher) => {
    written({})
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
    const configuration = join(import.meta.dirname, '../../alerts/prometheus.yml')
    const { status, stdout } = spawnSync('promtool', ['check', 'config', configuration], { encoding: 'utf8' })
    expect(stdout).toContain('SUCCESS')
    expect(status).toBe(0)
  })
})
