/** Hostile requests, to a mirror and to a front of sessions. */
import { MirrorProcess } from '../../fixtures/mirror-process.ts'
import { hostileBytes } from '../../http/hostile-requests.ts'
import { rawResponses, sendRaw } from '../../http/raw-connection.ts'
import type { Observe, OpenTarget } from '../target.ts'

/** Waits for what never ends, on a machine that is busy with other entities, too. */
const silenceMs = 60_000
const healthWithinMs = 30_000
/** The interval of cases that also check the health. */
const healthEvery = 500
const statusesAllowed = new Set([200, 304, 400, 403, 404, 405, 408, 413, 414, 431])
const world = ['scale=small', 'warmup=30m']
const health = 'GET /health?session=a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

/** The heads of the responses. One to HEAD has no body, so the next may begin where a body would. */
function headsIn(text: string): { status: number; headers: string }[] {
  const heads = text.matchAll(/HTTP\/1\.1 ([0-9]{3}) [^\r]*\r\n((?:[^\r]+\r\n)+)\r\n/g)
  return [...heads].map(([, status, headers]) => ({ status: Number(status), headers: headers.toLowerCase() }))
}

/** With this many lanes a busy machine may be asked for more tables at once than it makes. */
const isRefusedForNow = (status: number, headers: string): boolean =>
  status === 503 && /^retry-after: [1-9]\r$/m.test(headers)

function headFaults(status: number, headers: string): string[] {
  const checks: readonly (readonly [isRight: boolean, fault: string])[] = [
    [statusesAllowed.has(status) || isRefusedForNow(status, headers), `status ${status}`],
    [/^x-sim-age-ms: [0-9]+\r$/m.test(headers), 'no age in the headers'],
    [/^x-sim-publish-seq: [0-9]+\r$/m.test(headers), 'no publish_seq in the headers'],
    [
      status < 400 || /^content-type: application\/problem\+json\r$/m.test(headers),
      `status ${status} without a problem`,
    ],
    [!/(?:^|[\r\n])x-evil/.test(headers), 'an injected header'],
    [headers.includes('\r\nx-content-type-options: nosniff\r\n'), 'a content that may be guessed'],
    [headers.includes('\r\ncross-origin-resource-policy: same-origin\r\n'), 'a body for other sites'],
    [!headers.includes('access-control-'), 'a CORS header'],
  ]
  return checks.filter(([isRight]) => !isRight).map(([, fault]) => fault)
}

async function healthFaults(subject: MirrorProcess, observe: Observe): Promise<string[]> {
  const beganMs = performance.now()
  const text = observe((await sendRaw(subject.port, health, silenceMs)).toString('latin1'))
  const tookMs = Math.round(performance.now() - beganMs)
  const [answer] = rawResponses(Buffer.from(text, 'latin1'))
  return [
    ...(answer?.status === 200 ? [] : [`/health answered ${answer?.status ?? 'nothing'}`]),
    ...(tookMs <= healthWithinMs ? [] : ['/health took longer than 30 s']),
  ]
}

/** The requests for a session, where they name no parameters. */
const forSession = (bytes: Buffer): Buffer =>
  Buffer.from(
    bytes.toString('latin1').replaceAll(/^((?:GET|HEAD) \/[^ ?]*)(?= HTTP)/gm, '$1?session=a'),
    'latin1',
  )

export const openHttp: OpenTarget = async (_seed, observe) => {
  const mirror = await MirrorProcess.start([
    '--session=a',
    '--cadence-ms=200',
    ...world.map((setting) => `--${setting}`),
  ])
  const front = await MirrorProcess.start([`--sessions=a=simulation?${world.join('&')}`])
  const subjects = [mirror, front]
  return {
    lanes: 32,
    residentMb: async () => {
      const all = await Promise.all(subjects.map((subject) => subject.residentMb()))
      return Math.max(...all)
    },
    async run({ number, random }) {
      const subject = subjects[number % 2]
      if (!subject.isRunning) return [`the process ended:\n${subject.log.slice(-2000)}`]
      const { bytes } = hostileBytes(random)
      const sent = subject === front ? forSession(bytes) : bytes
      const beganMs = performance.now()
      const received = await sendRaw(subject.port, sent, silenceMs, { thenEnd: true })
      const heads = headsIn(observe(received.toString('latin1')))
      const found = heads.flatMap(({ status, headers }) => headFaults(status, headers))
      if (performance.now() - beganMs >= silenceMs) found.push('the connection hung')
      const shown = JSON.stringify(sent.toString('latin1', 0, 300))
      return [
        ...found.map((fault) => `${fault}, after ${shown}`),
        ...(number % healthEvery === 0 ? await healthFaults(subject, observe) : []),
      ]
    },
    close: async () => {
      await Promise.all(subjects.map((subject) => subject.stop()))
    },
  }
}
