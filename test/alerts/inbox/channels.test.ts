import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../metrics/real-prometheus.ts'
import { RealAlertmanager } from './alertmanager.ts'
import { open, posted } from './alerts-to-post.ts'
import { Inbox } from './inbox.ts'
import { channelNames } from '../../../alerts/notifications/channels.ts'
import type { ChannelName } from '../../../alerts/notifications/channels.ts'
import type { Channel, Message, Ntfy, PagerDuty, WebhookBody } from './message.ts'
import { findAlertmanager } from './program.ts'

const programs = findAlertmanager()
const folder = mkdtempSync(join(tmpdir(), 'channels-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Only formats are tested here, so groups have shorter intervals. */
const sooner = (configuration: string): string =>
  configuration
    .replaceAll(/group_wait: \d+s/g, 'group_wait: 1s')
    .replaceAll(/group_interval: \w+/g, 'group_interval: 2s')

const title = 'Incident 22: traffic flood on Clover & Vale <Streaming> (19 customers, $61/h at risk)'
const critical = (span: readonly [number, number]) =>
  posted(
    { alertname: 'DcsimIncidentCritical', severity: 'critical', incident: '22' },
    title,
    'Suspected cause: an attack. Scale the defenses of zone Westholm A.',
    span,
  )
const links = (count: number, span: readonly [number, number]) =>
  Array.from({ length: count }, (_, index) =>
    posted(
      { alertname: 'DcsimLinkDown', severity: 'warning', link: `${index + 1}`, az: '1' },
      `Copper link ${index + 1} between whm-a-core1 and whm-a-b0${index + 1}-leaf1 is down`,
      'Traffic takes other links as long as there are any.',
      span,
    ),
  )
const watchdog = (span: readonly [number, number]) =>
  posted({ alertname: 'DcsimWatchdog', severity: 'info' }, 'Alerting works', 'It always fires.', span)

describe.skipIf(programs === null)('messages as received (skipped where there is no Alertmanager)', () => {
  let inbox: Inbox
  let alertmanager: RealAlertmanager
  const startMs = Date.now() - 33_000

  const find = (channel: Channel, receiver: string, holds: (message: Message) => boolean) =>
    inbox.of(channel).find((message) => message.receiver === receiver && holds(message))
  /** The first such message of every channel. */
  const arrived = async (receiver: string, holds: (message: Message) => boolean) => {
    await until(
      `every channel has it; log: ${alertmanager.log}`,
      async () => channelNames.every((channel) => find(channel, receiver, holds) !== undefined),
      15_000,
    )
    return new Map(channelNames.map((channel) => [channel, find(channel, receiver, holds)!]))
  }
  const isOver = ({ title: line, body }: Message): boolean =>
    /RESOLVED|^resolve/.test(line) || (body as WebhookBody).status === 'resolved'

  beforeAll(async () => {
    inbox = await Inbox.open(folder)
    alertmanager = await RealAlertmanager.start(programs!, folder, inbox, sooner)
    const untilMs = Date.now() + open
    await alertmanager.post([critical([startMs, untilMs]), watchdog([startMs, untilMs])])
    await alertmanager.post(links(20, [Date.now(), untilMs]))
  })

  afterAll(async () => {
    await alertmanager.stop()
    inbox.close()
  })

  test('contain severity, symptom, start time and links, in every channel', async () => {
    const messages = await arrived('critical', (message) => !isOver(message))
    const since = `${new Date(startMs).toISOString().slice(11, 19)} UTC`
    for (const [channel, { title: line, text, body }] of messages) {
      const raw = JSON.stringify(body)
      if (channel === 'webhook') continue
      expect.soft(`${line} ${raw}`, channel).toMatch(/CRITICAL|critical/)
      expect.soft(line, channel).toMatch(/Incident 22: traffic flood on Clover (&|&amp;) Vale/)
      expect
        .soft(text, channel)
        .toContain('Suspected cause: an attack. Scale the defenses of zone Westholm A.')
      expect.soft(text, channel).toContain(`Since ${since}.`)
      expect.soft(raw, channel).toContain('/d/dcsim-incident?var-session=small-1')
      // The quarter of an hour before the alert, whenever the link is followed.
      expect.soft(raw, channel).toMatch(new RegExp(`&(amp;)?from=${startMs - 900_000}&(amp;)?to=now`))
      if (channel === 'pushover') continue
      expect.soft(raw, channel).toContain('/runbooks/DcsimIncidentCritical')
      expect.soft(raw, channel).toContain('/#/silences/new?filter=%7Balertname%3D%22DcsimIncidentCritical%22')
      expect.soft(raw, channel).not.toContain('&lt;&lt;')
    }
  })

  test('leave out a silence on this machine for a reader whose dashboards are elsewhere', async () => {
    const elsewhere = critical([Date.now(), Date.now() + open])
    await alertmanager.post([
      {
        ...elsewhere,
        labels: { ...elsewhere.labels, incident: '23' },
        annotations: { ...elsewhere.annotations, dashboard_url: 'http://192.168.1.20:3000/d/x?a=b' },
      },
    ])
    const messages = await arrived('critical', ({ body }) => JSON.stringify(body).includes('192.168.1.20'))
    for (const channel of ['discord', 'slack', 'teams', 'telegram', 'email'] as const) {
      const raw = JSON.stringify(messages.get(channel)!.body)
      expect.soft(raw, channel).toContain('/runbooks/DcsimIncidentCritical')
      expect.soft(raw, channel).not.toContain('silences')
    }
  })

  test('show how grave by color and priority', async () => {
    const [grave, warned] = [
      await arrived('critical', (message) => !isOver(message)),
      await arrived('warning', (message) => !isOver(message)),
    ]
    const both = (channel: (typeof channelNames)[number], path: (body: never) => unknown): unknown[] =>
      [grave, warned].map((messages) => path(messages.get(channel)!.body as never))
    const slack = (body: { attachments: { color: string }[] }) => body.attachments[0].color
    expect(both('slack', slack)).toStrictEqual(['danger', 'warning'])
    expect(both('ntfy', ({ priority, tags }: Ntfy) => [priority, ...tags])).toStrictEqual([
      [5, 'rotating_light'],
      [4, 'warning'],
    ])
    expect(both('pushover', (body: { priority: string }) => body.priority)).toStrictEqual(['1', '0'])
    expect(both('pagerduty', ({ payload }: PagerDuty) => payload.severity)).toStrictEqual([
      'critical',
      'warning',
    ])
    expect(both('email', (body: { priority: string }) => body.priority)).toStrictEqual(['1', '2'])
    // A tag is a sign before the title: no word is needed, of which a phone would show fewer of the title's.
    expect(both('ntfy', ({ title: line }: Ntfy) => line)).toStrictEqual([
      `\t${title}`,
      '\tCopper link 1 between whm-a-core1 and whm-a-b01-leaf1 is down (and 19 more)',
    ])
    for (const channel of ['discord', 'teams', 'telegram', 'email'] as const) {
      expect.soft(grave.get(channel)!.title).toMatch(/🔴 CRITICAL: /)
      expect.soft(warned.get(channel)!.title).toMatch(/🟠 WARNING: /)
    }
  })

  test('show a few alerts, and say how many they leave out', async () => {
    const messages = await arrived('warning', (message) => !isOver(message))
    const shownIn = { slack: 3, ntfy: 3, pagerduty: 3, pushover: 3 } as Readonly<Record<string, number>>
    for (const [channel, { title: line, text }] of messages) {
      if (channel === 'webhook') continue
      const shown = text.match(/^🟠 Copper link \d+ between \S+ and \S+ is down\./gm)?.length
      // The first is in the title.
      expect.soft(1 + shown!, channel).toBe(shownIn[channel] ?? 5)
      expect.soft(text, channel).toContain(`… and ${20 - 1 - shown!} more firing.`)
      expect.soft(channel === 'pagerduty' || line.includes('(and 19 more)'), channel).toBe(true)
    }
  })

  test('stay within what a channel takes, however long the texts', async () => {
    const [span, long] = [[Date.now(), Date.now() + open] as const, 'Long & long. '.repeat(100)]
    const host = (id: number) => ({ alertname: 'DcsimHostDown', severity: 'critical', host: `${id}` })
    await alertmanager.post(Array.from({ length: 9 }, (_, id) => posted(host(id), long, long, span)))
    const messages = await arrived('critical', ({ body }) => JSON.stringify(body).includes('Long'))
    const most = { discord: [256, 4096], telegram: [300, 3800], pushover: [250, 1024], ntfy: [250, 4096] }
    for (const [channel, limits] of Object.entries(most)) {
      const { title: line, text } = messages.get(channel as ChannelName)!
      expect.soft(line.length, channel).toBeLessThanOrEqual(limits[0])
      expect.soft(Buffer.byteLength(text), channel).toBeLessThanOrEqual(limits[1])
    }
    expect(messages.get('pushover')!.text).toContain('… and 6 more firing.')
  })

  test('say once what the title says, and once since when all fire', async () => {
    for (const [channel, { title: line, text }] of await arrived('warning', (message) => !isOver(message))) {
      if (channel === 'webhook') continue
      // The plain text of an e-mail begins with its title.
      const body = text.replace(`${line}\n\n`, '')
      expect.soft(body, channel).toMatch(/^Traffic takes other links as long as there are any\. Since /)
      expect.soft(body, channel).not.toContain('Copper link 1 ')
      expect.soft(body.match(/Since /g), channel).toHaveLength(1)
    }
  })

  test('are folded by Slack in no case, which it does from the fifth line break on', async () => {
    const breaks = ({ text }: Message): number => text.split('\n').length - 1
    await arrived('warning', (message) => !isOver(message))
    expect(Math.max(...inbox.of('slack').map(breaks))).toBe(4)
  })

  test('escape the special characters of each format', async () => {
    const messages = await arrived('critical', (message) => !isOver(message))
    for (const channel of ['slack', 'telegram'] as const) {
      const { title: line } = messages.get(channel)!
      expect(line).toContain('Clover &amp; Vale &lt;Streaming&gt; (19')
    }
    for (const channel of ['discord', 'teams'] as const)
      expect(messages.get(channel)!.title).toContain(String.raw`Clover & Vale \<Streaming\> (19`)
    const { html } = messages.get('email')!.body as { html: string }
    expect(html).toContain('Clover &amp; Vale &lt;Streaming&gt;')
  })

  test('show the names of a hostile world as they are, and neither links nor mentions', async () => {
    const name = '[Log in](https://evil.example) **now** `x` @everyone <@1> ~~a_b~~ ||c|| \\'
    const shown = String.raw`\[Log in\](https://evil.example) \*\*now\*\* \`x\` \@everyone \<\@1\> \~\~a\_b\~\~ \|\|c\|\| \\`
    const span = [Date.now(), Date.now() + open] as const
    const labels = { alertname: 'DcsimHostDown', severity: 'critical', host: '9', session: name }
    await alertmanager.post([posted(labels, `Host ${name} is down`, `Look at ${name} soon.`, span)])
    const messages = await arrived('critical', ({ body }) => JSON.stringify(body).includes('Log in'))
    for (const channel of ['discord', 'teams'] as const) {
      const { title: line, text } = messages.get(channel)!
      expect.soft(line, channel).toBe(`🔴 CRITICAL: Host ${shown} is down`)
      expect.soft(text, channel).toContain(`Look at ${shown} soon. Since `)
      expect.soft(text, channel).toContain(`Session ${shown}.`)
      // Its own links stay links.
      expect.soft(text, channel).toContain('[Dashboard](http://127.0.0.1:3000/d/')
    }
    expect(messages.get('pushover')!.text).toContain(`Look at ${name} soon.`)
  })

  test('list resolved alerts apart from firing ones, and say how long they lasted', async () => {
    const endMs = startMs + 33_000
    const span = [startMs, endMs] as const
    await alertmanager.post([critical(span)])
    const over = await arrived('critical', isOver)
    expect(over.get('slack')!.title).toContain(
      '“Incident 22: traffic flood on Clover &amp; Vale &lt;Streaming&gt;',
    )
    const clock = (atMs: number): string => new Date(atMs).toISOString().slice(11, 19)
    for (const [channel, { title: line, text }] of over) {
      if (channel === 'webhook') continue
      expect.soft(line, channel).toMatch(channel === 'pagerduty' ? /^resolve: / : /RESOLVED/)
      // PagerDuty closes its incident: a resolving event has no details.
      if (channel === 'pagerduty') continue
      expect.soft(text, channel).toContain(`It lasted 33s, from ${clock(startMs)} to ${clock(endMs)} UTC.`)
      expect.soft(text, channel).not.toMatch(/CRITICAL|Suspected/)
    }
    const { html } = over.get('email')!.body as { html: string }
    expect(html).toContain(`from=${startMs - 900_000}&amp;to=${endMs + 300_000}"`)
    await alertmanager.post(links(1, span))
    const partly = await arrived('warning', ({ text, body }) =>
      'alerts' in (body as object)
        ? (body as WebhookBody).alerts.some(({ status }) => status === 'resolved')
        : /RESOLVED after|resolved\./.test(text),
    )
    expect(partly.get('slack')!.text).toContain('\n… and 16 more firing, 1 more resolved.\n')
    const markdown = partly.get('discord')!
    expect(markdown.title).toMatch(/^🟠 WARNING: /)
    expect(partly.get('pushover')!.text).toMatch(
      new RegExp(`RESOLVED after 33s, at ${clock(endMs)} UTC: “Copper link 1 |, 1 more resolved`),
    )
  })

  test('are about the incident where it is known, without saying twice how grave it is', async () => {
    const span = [Date.now(), Date.now() + open] as const
    const about = { severity: 'critical', incident: '7' }
    await alertmanager.post([
      posted(
        { alertname: 'DcsimIncidentCritical', ...about },
        'Critical incident 7: power loss',
        'Feed A is down: no spare.',
        span,
      ),
    ])
    const warned = { severity: 'warning', incident: '8' }
    await alertmanager.post([
      posted({ alertname: 'DcsimIncidentComplianceAtRisk', ...warned }, 'HIPAA at risk', 'Bad.', span),
      posted({ alertname: 'DcsimIncidentMajor', ...warned }, 'Major incident 8: cable cut', 'Bad.', span),
    ])
    const grave = await arrived('critical', ({ title: line }) => /ncident 7|^firing/.test(line))
    // A text with a colon remains a text where Alertmanager parses texts as YAML.
    for (const channel of ['ntfy', 'pagerduty'] as const) {
      expect(grave.get(channel)!.text).toMatch(/^Feed A is down: no spare\. Since /)
    }
    expect(grave.get('discord')!.title).toBe('🔴 CRITICAL: Incident 7: power loss')
    expect(grave.get('ntfy')!.title).toBe('Critical incident 7: power loss')
    const other = await arrived('warning', ({ title: line }) => /ncident 8|^firing/.test(line))
    expect(other.get('telegram')!.title).toBe('<b>🟠 WARNING: Major incident 8: cable cut</b>')
    expect(other.get('telegram')!.text).toMatch(/^Bad\. Since /)
  })

  test("reach the dead man's switch, which alone gets the watchdog", async () => {
    await until('the switch is told', async () => inbox.of('watchdog').length > 0)
    const others = inbox.messages.filter(({ channel }) => channel !== 'watchdog')
    expect(others.filter(({ body }) => JSON.stringify(body).includes('Watchdog'))).toStrictEqual([])
  })

  test('come without errors; credentials are in files that only their owner reads', () => {
    expect(inbox.errors).toStrictEqual([])
    expect(alertmanager.log).toBe('')
    const configuration = readFileSync(join(folder, 'alertmanager.yml'), 'utf8')
    expect(configuration).not.toMatch(/QmFzaWM|p'a:s@s|c{30}|w{30}|u{30}/)
    const secret = join(folder, 'secrets/email-critical')
    expect(readFileSync(secret, 'utf8')).toBe("p'a:s@s")
    expect(statSync(secret).mode & 0o777).toBe(0o600)
    expect(inbox.of('email')[0].body).toMatchObject({ login: "me p'a:s@s" })
    expect(inbox.of('ntfy')[0].body).toMatchObject({
      auth: 'QmFzaWM',
      topic: expect.stringMatching(/critical|warning/),
    })
  })
})
