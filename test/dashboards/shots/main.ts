/** Takes screenshots of all dashboards in a running Grafana, and reports their problems. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { answerOf, commandLine, exitWithUsage, namesFrom, numberFrom } from '../../fixtures/command-line.ts'
import type { Seen } from './browser.ts'

const usage = `npm run dashboards:shots -- URL [--out FOLDER] [--only UID,…] [--session NAME] [--choose NAME=VALUE,…]
                               [--widths 1920,…] [--themes dark,light] [--from now-1h] [--screen yes]

Takes pictures of all dashboards in the Grafana at URL, in which they have to be already. Needs Chromium; CHROMIUM names
the program if it is not \`chromium\`. Ends with 1 if a panel shows an error or the page throws one.
  --out FOLDER    where the pictures go, as WebP; dashboard-shots where left out
  --only UID,…    these dashboards alone: dcsim-session,dcsim-floor
  --session NAME  of this session; of the first where left out
  --choose N=V,…  with these choices in the variables: incident=13,customer=4
  --widths W,…    in pixels; 1920,1366,768 where left out
  --themes T,…    dark,light where left out
  --from TIME     how far the graphs go back; now-1h where left out
  --screen yes    what fits on a screen, not the whole page`

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
// Imported only now: wrong arguments are refused at once.
const { everyDashboard } = await import('../dashboard-json.ts')
const uids = everyDashboard.map(({ uid }) => uid)
const pages = values.only === undefined ? uids : namesFrom(usage, '--only', values.only, uids)

const answer = await answerOf(usage, 'Grafana', grafana, '/api/health')
const health = (await answer.json()) as { version: string }
const folder = resolve(values.out)
mkdirSync(folder, { recursive: true })
console.log(`Grafana ${health.version}`)

const { Browser } = await import('./browser.ts')
const { isBroken, reportLines } = await import('./report.ts')
const browser = await Browser.start()
const found: Seen[] = []
try {
  for (const uid of pages) {
    for (const theme of themes) {
      for (const width of widths) {
        const address = new URL(`/d/${uid}`, grafana)
        address.search = new URLSearchParams([
          ...Object.entries({ from: values.from, to: 'now', theme, kiosk: '1' }),
          ...chosen.map((each) => [`var-${each.split('=', 1)[0]}`, each.slice(each.indexOf('=') + 1)]),
        ]).toString()
        const seen = await browser.look(address.href, width, values.screen !== 'yes')
        const name = `${uid.replace('dcsim-', '')}-${width}-${theme}.webp`
        writeFileSync(join(folder, name), seen.picture)
        console.log(reportLines(name, seen))
        found.push(seen)
      }
    }
  }
} finally {
  await browser.stop()
}
const broken = found.filter(isBroken).length
console.log(`${found.length} pictures of Grafana ${health.version} in ${folder}, ${broken} with errors.`)
if (broken > 0) process.exitCode = 1
