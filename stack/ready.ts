/** Says where to look once everything is up: as text, and as a QR code where other machines reach it. */
import { renderUnicodeCompact } from 'uqr'
import { isOfThisMachine } from '../src/http/requests/host-names.ts'
import { addressesOf } from './addresses.ts'

/** Light on dark in a terminal of any colors. */
const lightOnDark = (line: string): string => `\u001B[97;40m${line}\u001B[0m`

const { grafana, mirror } = addressesOf(process.env)
const lines = [
  `Everything is up. Open ${grafana} for the dashboards, ${mirror} for the API.`,
  ...(isOfThisMachine(grafana)
    ? ['Only this machine reaches them. For a tablet or a phone, set DCSIM_HOST in .env.']
    : [
        'On a tablet or a phone:',
        ...renderUnicodeCompact(grafana, { border: 2 }).split('\n').map(lightOnDark),
      ]),
]
console.log(lines.join('\n'))
