/** Says where to look once everything is up: as text, and as a QR code where other machines reach it. */
import { setTimeout as pause } from 'node:timers/promises'
import { renderUnicodeCompact } from 'uqr'
import { isOfThisMachine } from '../../src/http/requests/host-names.ts'
import { addressesOf } from './addresses.ts'

const pauseMs = 2_000

/** Light on dark in a terminal of any colors. */
const lightOnDark = (line: string): string => `\u001B[97;40m${line}\u001B[0m`

function linesOf(environment: NodeJS.ProcessEnv): string[] {
  const { grafana, mirror } = addressesOf(environment)
  return [
    `Everything is up. Open ${grafana} for the dashboards, ${mirror} for the API.`,
    ...(isOfThisMachine(grafana)
      ? ['Only this machine reaches them. For a tablet or a phone, set DCSIM_HOST in .env.']
      : [
          'On a tablet or a phone:',
          ...renderUnicodeCompact(grafana, { border: 2 }).split('\n').map(lightOnDark),
        ]),
  ]
}

/** Waits for Grafana, on which nothing else waits, without keeping the process alive. */
export async function sayWhenUp(
  environment: NodeJS.ProcessEnv,
  url = 'http://grafana:3000/api/health',
  log: (text: string) => void = console.log,
): Promise<void> {
  const isUp = async (): Promise<boolean> => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(pauseMs) }).catch(() => null)
    await answer?.arrayBuffer().catch(() => null)
    return answer?.ok === true
  }
  while (!(await isUp())) await pause(pauseMs, undefined, { ref: false })
  log(linesOf(environment).join('\n'))
}
