/**
 * Pictures of all dashboards in a running Grafana, and what is wrong with them.
 *
 *   npm run dashboards:shots -- http://127.0.0.1:3000 [--out FOLDER] [--only UID,…] [--session NAME] [--widths 1920,…]
 *     [--themes dark,light] [--from now-1h] [--screen yes]
 *
 * It needs Chromium (CHROMIUM names the program if it is not `chromium`). Pictures are WebP. The dashboards have to be
 * in that Grafana already. Ends with 1 if a panel shows an error or the page throws one.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { committedDashboards } from '../committed.ts'
import { Browser } from './browser.ts'
import type { Seen } from './browser.ts'
import { isBroken, told } from './report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'dashboard-shots' },
    only: { type: 'string', default: committedDashboards.map(({ uid }) => uid).join(',') },
    session: { type: 'string' },
    widths: { type: 'string', default: '1920,1366,768' },
    themes: { type: 'string', default: 'dark,light' },
    from: { type: 'string', default: 'now-1h' },
    screen: { type: 'string', default: 'no' },
  },
})
const [grafana, ...others] = positionals
if (grafana === undefined || others.length > 0) {
  throw new Error('Usage: npm run dashboards:shots -- URL [--out FOLDER] [--only UID,…] [--session NAME]')
}
const folder = resolve(values.out)
mkdirSync(folder, { recursive: true })

const health = (await (await fetch(new URL('/api/health', grafana))).json()) as { version: string }
console.log(`Grafana ${health.version}`)

const browser = await Browser.start()
const found: Seen[] = []
try {
  for (const uid of values.only.split(',')) {
    for (const theme of values.themes.split(',')) {
      for (const width of values.widths.split(',').map(Number)) {
        const address = new URL(`/d/${uid}`, grafana)
        const choice = values.session === undefined ? {} : { 'var-session': values.session }
        const query = { from: values.from, to: 'now', theme, ...choice, kiosk: '1' }
        address.search = new URLSearchParams(query).toString()
        const seen = await browser.look(address.href, width, values.screen !== 'yes')
        const name = `${uid.replace('dcsim-', '')}-${width}-${theme}.webp`
        writeFileSync(join(folder, name), seen.picture)
        console.log(told(name, seen))
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
