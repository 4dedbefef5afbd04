import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'

const script = readFileSync(new URL('../../alerts/configuration.sh', import.meta.url), 'utf8')
const rule =
  'dashboard_url: http://127.0.0.1:3000/d/dcsim-session?a=1#http://127.0.0.1:3000/x\n' +
  'runbook_url: http://127.0.0.1:9740/runbooks/DcsimHostDown\n'

/** Runs the script as its container does, with a temporary directory as its root. */
function configured(port: string, settings: Readonly<Record<string, string>> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'configuration-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  mkdirSync(join(directory, 'in'))
  mkdirSync(join(directory, 'out'))
  writeFileSync(join(directory, 'in/a.rules.yaml'), rule)
  writeFileSync(join(directory, 'in/prometheus.yml'), 'global: {}\n')
  const local = script
    .replaceAll(/(?<= |\[ -e ")\/rules\//g, `${directory}/in/`)
    .replaceAll(/(?<=[ <])\/prometheus\.yml/g, `${directory}/in/prometheus.yml`)
  const { status, stderr } = spawnSync('sh', ['-c', local, 'configuration.sh', join(directory, 'out')], {
    encoding: 'utf8',
    cwd: directory,
    env: { PATH: process.env['PATH'], GRAFANA_PORT: port, ...settings },
  })
  return { status, stderr, directory }
}

test('links in the rules lead to the port of Grafana', () => {
  const { status, directory } = configured('8300')
  expect(status).toBe(0)
  expect(readFileSync(join(directory, 'out/rules/a.rules.yaml'), 'utf8')).toBe(
    rule.replaceAll('3000', '8300'),
  )
})

test('links to runbooks lead to the port of the mirror', () => {
  const link = 'runbook_url: http://127.0.0.1:9740/runbooks/DcsimHostDown\n'
  const { status, directory } = configured('3000', { DCSIM_PORT: '9800' })
  expect(status).toBe(0)
  expect(readFileSync(join(directory, 'out/rules/a.rules.yaml'), 'utf8')).toContain(
    link.replace('9740', '9800'),
  )
  expect(configured('3000', { DCSIM_PORT: '9800;e' }).stderr).toBe('DCSIM_PORT: expected a port number\n')
})

test.each(['', '1#;e touch injected;#', '1&', '1/;system("touch injected")', '3000\n'])(
  'the port %j is refused and runs nothing',
  (port) => {
    const { status, stderr, directory } = configured(port)
    expect(status).toBe(2)
    expect(stderr).toBe('GRAFANA_PORT: expected a port number\n')
    expect(existsSync(join(directory, 'injected'))).toBe(false)
    expect(existsSync(join(directory, 'out/rules'))).toBe(false)
  },
)

const file = ({ directory }: { directory: string }, name: string): string =>
  readFileSync(join(directory, 'out', name), 'utf8')

test('Prometheus writes to the store that is named, and Trends reads from it', () => {
  const done = configured('3000', {
    LONGTERM_WRITE_URL: 'http://vminsert:8480/insert/0/prometheus/api/v1/write?extra_label=a=b',
    LONGTERM_QUERY_URL: 'http://vmselect:8481/select/0/prometheus',
  })
  expect(done.status).toBe(0)
  expect(parse(file(done, 'prometheus.yml'))).toStrictEqual({
    global: {},
    remote_write: [{ url: 'http://vminsert:8480/insert/0/prometheus/api/v1/write?extra_label=a=b' }],
  })
  expect(file(done, 'longterm-url')).toBe('http://vmselect:8481/select/0/prometheus')
})

test.each(["http://a'\nrule_files: [x]", 'http://a b', 'http://a$(touch injected)', 'http://a"'])(
  'the address %j of a store is refused',
  (address) => {
    for (const name of ['LONGTERM_WRITE_URL', 'LONGTERM_QUERY_URL']) {
      const { status, stderr, directory } = configured('3000', { [name]: address })
      expect(status).toBe(2)
      expect(stderr).toMatch(/^LONGTERM_WRITE_URL, LONGTERM_QUERY_URL: expected addresses such as /)
      expect(existsSync(join(directory, 'out/prometheus.yml'))).toBe(false)
    }
  },
)
