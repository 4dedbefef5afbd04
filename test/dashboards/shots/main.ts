/** Takes screenshots of all dashboards in a running Grafana, and reports their problems. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { answerOf, commandLine, exitWithUsage, namesFrom, numberFrom } from '../../fixtures/command-line.ts'
import type { Browser, Seen } from './browser.ts'

const usage = `npm run node test/dashboards/shots/main.ts -- URL [--out FOLDER] [--only UID,…] [--session NAME] [--choose NAME=VALUE,…]
                               [--widths 1920,…] [--themes dark,light] [--from now-1h] [--screen yes]
                               [--clicks N]

Takes pictures of all dashboards in the Grafana at URL, in which they have to be already. Needs Chromium; CHROMIUM names
the program if it is not \`chromium\`. Ends with 1 if a panel shows an error or the page throws one.
  --out FOLDER    where the pictures go, as WebP; dashboard-shots where left out
  --only UID,…    these dashboards alone: dcsim-session,dcsim-floor
  --session NAME  of this session; of the first where left out
  --choose N=V,…  with these choices in the variables: incident=13,customer=4
  --widths W,…    in pixels; 1920,1366,768 where left out
  --themes T,…    dark,light where left out
  --from TIME     how far the graphs go back; now-1h where left out
  --screen yes    what fits on a screen, not the whole page
  --clicks N      no pictures: a table of the time from a click on a link to the page, N times, at the first width`

const { values, positionals } = commandLine(usage, {
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'dashboard-shots' },
    only: { type: 'string' },
    session: { type: 'string' },
    choose: { type: 'string', default: '' },
    widths: { type: 'string', default: '1920,1366,768' },
    themes: { type: 'string', default: 'dark,light' },
    from: { type: 'string', default: 'now-1h' },
    screen: { type: 'string', default: 'no' },
    clicks: { type: 'string', default: '0' },
  },
})
const [grafana, ...others] = positionals
if (grafana === undefined) exitWithUsage(usage, 'The address of a Grafana is missing.')
if (others.length > 0) exitWithUsage(usage, `Expected one address, got ${positionals.join(' ')}.`)
const choices = values.choose.split(',').filter((each) => each !== '')
for (const each of choices)
  if (!/^\w+=./.test(each))
    exitWithUsage(usage, `--choose: expected NAME=VALUE, got ${JSON.stringify(each)}.`)
const chosen = [...(values.session === undefined ? [] : [`session=${values.session}`]), ...choices]
const themes = namesFrom(usage, '--themes', values.themes, ['dark', 'light'])
const widths = values.widths.split(',').map((width) => numberFrom(usage, '--widths', width, 1))
const clicks = numberFrom(usage, '--clicks', values.clicks, 0)
// Imported only now: wrong arguments are refused at once.
const { everyDashboard } = await import('../dashboard-json.ts')
const uids = everyDashboard.map(({ uid }) => uid)
const pages = values.only === undefined ? uids : namesFrom(usage, '--only', values.only, uids)

const answer = await answerOf(usage, grafana, '/api/health')
const health = (await answer.json()) as { version: string }
const folder = resolve(values.out)
if (clicks === 0) mkdirSync(folder, { recursive: true })
console.log(`Grafana ${health.version}`)

const programs = await Promise.all([import('./browser.ts'), import('./report.ts'), import('./clicks.ts')])
const [{ Browser: Chromium }, { isBroken, reportLines }, { clickHead, clickRow }] = programs

const addressOf = (uid: string, theme: string): string => {
  const address = new URL(`/d/${uid}`, grafana)
  address.search = new URLSearchParams([
    ...Object.entries({ from: values.from, to: 'now', theme, kiosk: '1' }),
    ...chosen.map((each) => [`var-${each.split('=', 1)[0]}`, each.slice(each.indexOf('=') + 1)]),
  ]).toString()
  return address.href
}

async function measureClicks(browser: Browser): Promise<void> {
  const addresses = pages.map((uid) => addressOf(uid, themes[0]))
  const found = await browser.clicks(addresses, widths[0], clicks)
  const titleOf = (uid: string): string => everyDashboard.find((one) => one.uid === uid)!.title
  console.log([clickHead, ...pages.map((uid, index) => clickRow(titleOf(uid), found[index]))].join('\n'))
}

async function takePictures(browser: Browser): Promise<void> {
  const found: Seen[] = []
  for (const uid of pages)
    for (const theme of themes)
      for (const width of widths) {
        const seen = await browser.look(addressOf(uid, theme), width, values.screen !== 'yes')
        const name = `${uid.replace('dcsim-', '')}-${width}-${theme}.webp`
        writeFileSync(join(folder, name), seen.picture)
        console.log(reportLines(name, seen))
        found.push(seen)
      }
  const broken = found.filter(isBroken).length
  console.log(`${found.length} pictures of Grafana ${health.version} in ${folder}, ${broken} with errors.`)
  if (broken > 0) process.exitCode = 1
}

const browser = await Chromium.start()
try {
  await (clicks > 0 ? measureClicks(browser) : takePictures(browser))
} finally {
  await browser.stop()
}
