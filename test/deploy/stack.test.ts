/** The services of the stack that run once. */
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
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { compareSync } from 'bcryptjs'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { addressProblems } from '../../deploy/stack/addresses.ts'
import { sayWhenUp } from '../../deploy/stack/ready.ts'
import { fileText, root } from '../containers/stack-file.ts'
import { listening } from '../fixtures/listening.ts'

const own = { DCSIM_GRAFANA_URL: 'http://127.0.0.1:3000/', DCSIM_PUBLIC_URL: 'http://127.0.0.1:9740' }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stack-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

function run(program: string, environment: Readonly<Record<string, string>>, ...words: readonly string[]) {
  const all = [`deploy/stack/${program}`, ...words]
  return spawnSync(process.execPath, all, { encoding: 'utf8', env: { ...own, ...environment } })
}

const configured = (environment: Readonly<Record<string, string>> = {}, ...tuning: readonly string[]) =>
  run('configuration.ts', environment, join(folder, 'out'), ...tuning)

const written = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8')

const linksIn = (name: string): Set<string> =>
  new Set([...written(name).matchAll(/"\w+_url": "(https?:\/\/.*?)\/(?:d|runbooks)\//g)].map(([, at]) => at))

describe('the volume that Prometheus and Grafana read', () => {
  test('has the rules of the package, the dashboards, the provisioning and the scripts', () => {
    expect(configured().stderr).toBe('')
    const rules = [...generatedFiles(defaultSettings)].filter(([name]) => name.endsWith('.rules.yaml'))
    expect(readdirSync(join(folder, 'out/rules')).toSorted()).toStrictEqual(
      rules.map(([name]) => name).toSorted(),
    )
    // Prometheus evaluates them as often as it scrapes: every 5 s, or 15 where a world is large.
    const evaluatedBy = (text: string): string => text.replaceAll(/^ +interval: \d+s\n/gm, '')
    for (const [name, text] of rules)
      expect(parse(written(`rules/${name}`))).toStrictEqual(parse(evaluatedBy(text)))
    const copied = {
      'grafana/dashboards': 'dashboards/generated',
      'grafana/provisioning/dashboards': 'dashboards/provisioning/dashboards',
      'grafana/provisioning/datasources': 'dashboards/provisioning/datasources',
    }
    for (const [copy, original] of Object.entries(copied)) {
      const names = readdirSync(new URL(original, root))
      expect(readdirSync(join(folder, 'out', copy))).toStrictEqual(names)
      for (const name of names) expect(written(`${copy}/${name}`)).toBe(fileText(`${original}/${name}`))
    }
    expect(written('load-backfill.sh')).toBe(fileText('deploy/stack/load-backfill.sh'))
    expect(written('prometheus.yml')).toBe(fileText('alerts/prometheus.yml'))
    expect(written('longterm-url')).toBe('http://guard:9090')
  })

  test('has a password that only its owner reads, with its hash, and keeps it', () => {
    configured()
    const password = written('password')
    expect(password).toMatch(/^[\w-]{32}$/)
    const [, hash] = /^basic_auth_users:\n {2}stack: (\$2b\$.*)\n$/.exec(written('web.yml'))!
    expect([compareSync(password, hash), compareSync('', hash)]).toEqual([true, false])
    for (const name of ['password', 'web.yml'])
      expect(statSync(join(folder, 'out', name)).mode & 0o777).toBe(0o600)
    configured()
    expect(written('password')).toBe(password)
    rmSync(join(folder, 'out'), { recursive: true })
    configured()
    expect(written('password')).not.toBe(password)
  })

  test('has links to the addresses that people reach, and names a store outside of the stack', () => {
    configured({
      DCSIM_GRAFANA_URL: 'https://dc.example.net/',
      DCSIM_PUBLIC_URL: 'https://dc.example.net/mirror',
      LONGTERM_WRITE_URL: 'http://vminsert:8480/insert/0/prometheus/api/v1/write?extra_label=a=b',
      LONGTERM_QUERY_URL: 'http://vmselect:8481/select/0/prometheus',
    })
    expect(parse(written('prometheus.yml'))).toMatchObject({
      remote_write: [{ url: 'http://vminsert:8480/insert/0/prometheus/api/v1/write?extra_label=a=b' }],
    })
    expect(written('prometheus.yml')).not.toMatch(/api\/v1\/write.*\n *basic_auth/)
    // The guard asks there.
    expect(written('longterm-url')).toBe('http://guard:8428')
    expect(linksIn('rules/hardware.rules.yaml')).toStrictEqual(
      new Set(['https://dc.example.net', 'https://dc.example.net/mirror']),
    )
  })

  test('has Prometheus send the password to a store that is part of the stack', () => {
    configured({ LONGTERM_WRITE_URL: 'http://vminsert:8480/api/v1/write', LONGTERM_IN_STACK: 'yes' })
    expect(parse(written('prometheus.yml')).remote_write).toStrictEqual([
      {
        url: 'http://vminsert:8480/api/v1/write',
        basic_auth: { username: 'stack', password_file: 'password' },
      },
    ])
  })

  test.each([
    [{ DCSIM_SCALE: '2000' }, '5s', '4s'],
    [{ DCSIM_SCALE: 'large', DCSIM_SESSIONS: 'a=simulation?seed=2001&scale=2000' }, '5s', '4s'],
    [{ DCSIM_SCALE: '2001' }, '15s', '10s'],
    [{ DCSIM_SESSIONS: 'a=simulation?seed=7,b=simulation?seed=7&scale=10000' }, '15s', '10s'],
  ])('is scraped and judged with %j every %s', (environment, interval, timeout) => {
    expect(configured(environment).stderr).toBe('')
    expect(parse(written('prometheus.yml')).global).toStrictEqual({
      scrape_interval: interval,
      scrape_timeout: timeout,
      evaluation_interval: interval,
    })
  })

  test('loses rules, dashboards and data sources of another version, and keeps what others write', () => {
    const own = [
      'rules/old.rules.yaml',
      'grafana/dashboards/dcsim-old.json',
      'grafana/provisioning/dashboards/old.yaml',
      'grafana/provisioning/datasources/old.yaml',
    ]
    for (const name of [...own, 'targets.json']) {
      mkdirSync(join(folder, 'out', dirname(name)), { recursive: true })
      writeFileSync(join(folder, 'out', name), '{}')
    }
    configured()
    expect(own.filter((name) => existsSync(join(folder, 'out', name)))).toStrictEqual([])
    expect(written('targets.json')).toBe('{}')
  })

  test('has rules that are tuned by a file, whose own links come first', () => {
    const tuning = join(folder, 'tuning.json')
    writeFileSync(tuning, '{ "off": ["DcsimHostDown"], "grafana": "https://g.example.org" }')
    expect(configured({}, tuning).stderr).toBe('')
    expect(written('rules/hardware.rules.yaml')).not.toContain('"DcsimHostDown"')
    expect(linksIn('rules/hardware.rules.yaml')).toContain('https://g.example.org')
    writeFileSync(tuning, '{ "of": [] }')
    expect(configured({}, tuning)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('did you mean off?'),
    })
  })
})

test.each([
  ['DCSIM_HOST', 'dc.example.net/grafana', 'a name or an address alone'],
  ['DCSIM_HOST', 'http://dc.example.net', 'a name or an address alone'],
  ['DCSIM_HOST', 'dc.example.net:3000', 'a name or an address alone'],
  ['DCSIM_HOST', 'fd00::20', 'a name or an address alone'],
  ['DCSIM_HOST', 'dc example', 'a name or an address alone'],
  ['ALERTMANAGER_HOST', '-', 'a name or an address alone'],
  ['DCSIM_SCHEME', 'ftp', 'http or https'],
  ['DCSIM_PREFIX', 'dc', 'nothing, or a path without a slash at its end'],
  ['DCSIM_PREFIX', '/dc/', 'nothing, or a path without a slash at its end'],
  ['LONGTERM_WRITE_URL', "http://a'\nrule_files: [x]", 'an address such as'],
  ['LONGTERM_QUERY_URL', 'http://a$(touch injected)', 'an address such as'],
])('%s=%j is refused with what is expected', (name, value, expected) => {
  expect(addressProblems({ [name]: value })).toStrictEqual([
    expect.stringContaining(`${name}: got ${JSON.stringify(value)}, expected ${expected}`),
  ])
})

test.each(['dc.example.net', 'desk', '192.168.1.20', '[fd00::20]'])('DCSIM_HOST=%s is accepted', (host) => {
  expect(
    addressProblems({ DCSIM_HOST: host, DCSIM_PREFIX: ':8443/dc', DCSIM_SCHEME: 'https' }),
  ).toStrictEqual([])
})

test('wrong values end the start, and nothing is written', () => {
  const { status, stderr } = configured({ DCSIM_HOST: 'dc.example.net/grafana', DCSIM_SCHEME: 'ftp' })
  expect([status, stderr.trim().split('\n')]).toStrictEqual([
    2,
    [
      'DCSIM_HOST: got "dc.example.net/grafana", expected a name or an address alone, such as dc.example.net, 192.168.1.20 or [fd00::20]',
      'DCSIM_SCHEME: got "ftp", expected http or https',
    ],
  ])
  expect(readdirSync(folder)).toStrictEqual([])
})

describe('the message that everything is up', () => {
  async function said(environment: NodeJS.ProcessEnv): Promise<readonly [asked: number, text: string]> {
    let asked = 0
    const grafana = createServer((_, response) => response.writeHead(++asked === 1 ? 503 : 200).end())
    const port = await listening(grafana)
    let text = ''
    await sayWhenUp(environment, `http://127.0.0.1:${port}`, (lines) => (text += lines))
    grafana.close()
    return [asked, text]
  }

  test('waits for Grafana, and has a QR code of the dashboards where other machines reach them', async () => {
    const [asked, text] = await said({ ...own, DCSIM_GRAFANA_URL: 'http://192.168.1.20:3000/' })
    expect(asked).toBe(2)
    const [first, second, ...code] = text.split('\n')
    expect(first).toBe(
      'Everything is up. Open http://192.168.1.20:3000 for the dashboards, http://127.0.0.1:9740 for the API.',
    )
    expect(second).toBe('On a tablet or a phone:')
    // A code of 25 modules, with two light ones around it, two rows a line.
    expect(code).toHaveLength(15)
    for (const line of code) expect(stripVTControlCharacters(line)).toMatch(/^[ █▀▄]{29}$/)
  })

  test('says how others reach them where only this machine does', async () => {
    const [, text] = await said(own)
    expect(text).toBe(
      'Everything is up. Open http://127.0.0.1:3000 for the dashboards, http://127.0.0.1:9740 for the API.\n' +
        'Only this machine reaches them. For a tablet or a phone, set DCSIM_HOST in .env.',
    )
  })
})
