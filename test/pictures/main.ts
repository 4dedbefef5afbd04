/**
 * Takes the pictures in docs/pictures that need no Grafana: the landing page during an incident, a notification of it,
 * and a terminal. Those of dashboards are taken by `npm run node test/dashboards/shots/main.ts`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { commandLine, exitWithUsage } from '../fixtures/command-line.ts'

const usage = `npm run node test/pictures/main.ts -- [--out FOLDER]

Takes the pictures that need no Grafana, in some minutes: the landing page in a crisis (landing, landing-dark), a message
about it (message), and a terminal (terminal). Needs Chromium; CHROMIUM names the program if it is not
/usr/bin/chromium, and Prometheus and Alertmanager, on the PATH or as the images of the stack. Uses the port 9739.
  --out FOLDER  where the pictures go, as PNG; docs/pictures where left out`

const { values } = commandLine(usage, {
  options: {
    out: { type: 'string', default: join(import.meta.dirname, '../../docs/pictures') },
  },
})
const folder = resolve(values.out)
const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
if (!existsSync(chromiumPath)) exitWithUsage(usage, `There is no Chromium at ${chromiumPath}.`)
const port = 9739
const { chromium } = await import('playwright-core')
const { Mailbox, mailPage } = await import('./message.ts')
const origin = `http://127.0.0.1:${port}`
const scenario = ['--scenario', 'core-switch-at-peak', '--speed', '240']
/** Within a simulated day: the fault has begun, and its diagnosis is under way. */
const incidentWithinMs = 120_000
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A terminal with commands and their output. */
const terminalPage = (
  lines: readonly { command: string; output: string }[],
): string => `<!doctype html><style>
body { margin: 0; padding: 1.2rem 1.5rem; background: #10161d; color: #d5dde8; font: 14px/1.5 ui-monospace, monospace;
  white-space: pre-wrap; overflow-wrap: anywhere; }
b { color: #5fd39a; font-weight: 600; }</style>${lines
  .map(({ command, output }) => `<b>$ ${escaped(command)}</b>\n${escaped(output.trimEnd())}\n`)
  .join('\n')}`

async function waitForIncident(): Promise<void> {
  const until = Date.now() + incidentWithinMs
  while (Date.now() < until) {
    const rows = (await (await fetch(`${origin}/tables/incidents?state=active`)).json()) as {
      severity: number
    }[]
    if (rows.some(({ severity }) => severity >= 3)) return
    await pause(500)
  }
  throw new Error('No grave incident opened in time.')
}

async function take(page: Page, name: string, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await pause(2_500)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  console.log(join(folder, `${name}.png`))
}

mkdirSync(folder, { recursive: true })
const words = ['src/main.ts', '--listen', `127.0.0.1:${port}`, ...scenario]
const mirror = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
let log = ''
mirror.stdout.on('data', (chunk) => (log += String(chunk)))
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  while (!log.includes('Ready after')) await pause(100)
  const mailbox = await Mailbox.open(port, /session is named (\S+)\./.exec(log)![1])
  try {
    await waitForIncident()
    for (const scheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme: scheme })
      await page.goto(origin)
      await take(page, scheme === 'light' ? 'landing' : 'landing-dark', { width: 1180, height: 900 })
      await page.close()
    }
    const mail = await browser.newPage()
    await mail.setContent(mailPage(await mailbox.received(' incident ')))
    await take(mail, 'message', { width: 760, height: 330 })
  } finally {
    await mailbox.close()
  }
  const events = (await (await fetch(`${origin}/tables/events?limit=8`)).json()) as {
    clock: string
    what: string
  }[]
  const page = await browser.newPage()
  await page.setContent(
    terminalPage([
      {
        command: `bin/dcsim-mirror ${scenario.join(' ')}`,
        output: log.replaceAll(/^The world is .*\n/gm, ''),
      },
      {
        command: `curl -s '${origin}/tables/events?limit=8' | jq -r '.[] | "\\(.clock)  \\(.what)"'`,
        output: events.map(({ clock, what }) => `${clock}  ${what}`).join('\n'),
      },
    ]),
  )
  await take(page, 'terminal', { width: 1000, height: 420 })
} finally {
  await browser.close()
  mirror.kill('SIGTERM')
  await once(mirror, 'exit')
}
