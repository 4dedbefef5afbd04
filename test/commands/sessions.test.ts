import { get } from 'node:http'
import { describe, expect, test } from 'vitest'
import { runServe, serveCommand } from '../../src/commands/serve.ts'
import { checkCommonFlags, sessionEnvironment } from '../../src/commands/sessions/serve-sessions.ts'
import { readSessionList } from '../../src/options/session-list.ts'
import { waitForHealth } from '../sources/attached/attached-mirror.ts'
import { run } from './run.ts'

const refusals: readonly [list: string, refused: string][] = [
  ['evening', 'got "evening", expected NAME=SOURCE'],
  ['two words=simulation', 'got "two words=simulation", expected NAME=SOURCE'],
  ['a=simulation,,b=simulation', 'got "", expected NAME=SOURCE'],
  ['a=simulation,plant', 'got "plant", expected NAME=SOURCE'],
  ['a=', 'session "a": got no source, expected NAME=SOURCE'],
  ['a=http://x:1,a=simulation', 'session "a": given more than once, expected names that differ'],
  ['a=simulation?sed=3', 'session "a": unknown setting "sed"; did you mean "seed"?'],
  ['a=simulation?seed', 'session "a": seed: got no value, expected N'],
  ['a=simulation?seed=%', 'session "a": seed: got "%" with broken percent-encoding'],
  ['a=simulation?seed=x', 'session "a": --seed: got "x", expected an integer from 0'],
  ['a=http://x?seed=3', 'session "a": --seed: applies only to the built-in world'],
  [
    'a=simulation,b=ftp://x',
    'session "b": --source: got "ftp://x", expected a URL with the scheme http or https',
  ],
]

describe('a list of sessions', () => {
  test('has names, sources and settings', () => {
    const list =
      'evening=http://10.0.0.5:9740, plant=/sessions/a%20b.rec?loop=yes,c=simulation?collectors=hosts,+pools&seed=7'
    expect(readSessionList(list)).toStrictEqual([
      { name: 'evening', isBuiltIn: false, flags: ['--source=http://10.0.0.5:9740'] },
      { name: 'plant', isBuiltIn: false, flags: ['--source=/sessions/a%20b.rec', '--loop=yes'] },
      { name: 'c', isBuiltIn: true, flags: ['--source=simulation', '--collectors=hosts,+pools', '--seed=7'] },
    ])
  })

  test.each(refusals)('%s is refused in one line', async (list, refused) => {
    const refusing = runServe(['--listen', '127.0.0.1:0'], { DCSIM_SESSIONS: list })
    await expect(refusing).rejects.toThrow(`DCSIM_SESSIONS: ${refused}`)
    await expect(refusing).rejects.toThrow(/^.+$/)
  })

  test('is refused beside a single session, and by a process with its exit code', async () => {
    const refusing = run(['--session', 'a', '--sessions', 'b=simulation'])
    expect((await refusing.ended)[0]).toBe(2)
    expect(refusing.out).toBe('')
    expect(refusing.err).toMatch(/^--session: does not apply to several sessions; the list has it.*\n$/)
    const variable = runServe(['--sessions', 'b=simulation'], { DCSIM_SESSION: 'a' })
    await expect(variable).rejects.toThrow('DCSIM_SESSION: applies only without --sessions')
  })

  test.each([
    ['scale', 'set it in the list, as NAME=SOURCE?scale=VALUE, or by DCSIM_SCALE'],
    ['cadence-ms', 'set it by DCSIM_CADENCE_MS'],
    ['session', 'the list has it, as NAME=SOURCE'],
    ['source', 'the list has it, as NAME=SOURCE'],
  ])('beside --%s, advises: %s', (flag, advice) => {
    expect(() => checkCommonFlags([`--${flag}=1`])).toThrow(
      `--${flag}: does not apply to several sessions; ${advice}`,
    )
  })

  test.each(Object.keys(serveCommand.settings))('advises for --%s only what is accepted', (flag) => {
    let advice = ''
    try {
      checkCommonFlags([`--${flag}=1`])
    } catch (error) {
      advice = (error as Error).message
    }
    const [, listed] = /NAME=SOURCE(\?.*)=VALUE/.exec(advice) ?? []
    const [variable] = /DCSIM_\w+/.exec(advice) ?? []
    const list = listed === undefined ? 'a=simulation' : `a=simulation${listed}=1`
    expect(readSessionList(list)).toHaveLength(1)
    const shared = variable === undefined ? {} : { [variable]: '1' }
    expect(sessionEnvironment(shared)).toEqual(shared)
  })
})

const small = 'simulation?scale=small&warmup=1h'
const twoSessions = ['--listen', '127.0.0.1:0', '--sessions', `evening=${small}&seed=7,plant=${small}&seed=8`]

interface Body {
  readonly status: string
  readonly sessions: readonly { readonly name: string; readonly status: string }[]
  readonly detail: string
}

const json = async (url: string): Promise<Body> => (await (await fetch(url)).json()) as Body

const untilHealthy = (origin: string) => waitForHealth(origin, ({ status }) => /^(?:ok|idle)$/.test(status))

/** The status of a request with a foreign Host header, as a page of another site would send. */
async function statusForHost(url: string, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  get(url, { headers: { host } }, (response) => resolve(response.resume().statusCode!)).on('error', reject)
  return promise
}

describe('two sessions at one address', () => {
  test('are each served by a mirror of its own', async () => {
    const service = run(twoSessions)
    const origin = await service.origin()
    await untilHealthy(origin)
    await service.says(/^plant: Ready after [\d.]+ s\.$/m)
    expect(service.out + service.err).not.toMatch(/Browser:|curl/)
    const { sessions } = await json(`${origin}/health`)
    expect(sessions.map(({ name }) => name)).toStrictEqual(['evening', 'plant'])
    for (const [session, seed] of [
      ['evening', 7],
      ['plant', 8],
    ]) {
      const response = await fetch(`${origin}/metrics?session=${session}&name[]=dcsim_sim_info`)
      expect(await response.text()).toContain(`dcsim_sim_info{seed="${seed}",scale="small"`)
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
      expect(Number(response.headers.get('x-sim-publish-seq'))).toBeGreaterThan(0)
    }
    const page = await fetch(`${origin}/api/v1/hosts?limit=1&session=plant`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(page.headers.get('content-encoding')).toBe('gzip')
    expect(await page.json()).toMatchObject({ total: 24, count: 1 })
    const etag = page.headers.get('etag')!
    const again = await fetch(`${origin}/api/v1/hosts?limit=1&session=evening`, {
      headers: { 'if-none-match': etag },
    })
    expect(again.status).toBe(200)
    await again.body!.cancel()

    const index = await (await fetch(`${origin}/`)).text()
    expect(index).toContain('<a href="?session=plant">plant</a>')
    expect(await json(`${origin}/api/v1/hosts`)).toMatchObject({
      status: 400,
      detail: 'session: is missing, expected evening or plant, such as /api/v1/hosts?session=evening.',
    })
    expect(await json(`${origin}/health?session=night`)).toMatchObject({ status: 404 })
    expect(await statusForHost(`${origin}/health?session=plant`, 'example.org')).toBe(403)
    expect((await fetch(`${origin}/health?session=plant`, { method: 'POST', body: 'x' })).status).toBe(405)

    const { code, ms } = await service.end('SIGTERM')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(5_000)
  })

  test('go on without each other: one that is killed starts again', async () => {
    const service = run(twoSessions)
    const origin = await service.origin()
    await untilHealthy(origin)
    const [, pid] = await service.says(/evening: .*process (\d+)/)
    process.kill(Number(pid), 'SIGKILL')
    await service.says(/evening: the mirror exited; it starts again in 1 s\./)
    expect((await fetch(`${origin}/api/v1/hosts?session=evening`)).status).toBe(503)
    expect((await fetch(`${origin}/api/v1/hosts?session=plant`)).status).toBe(200)
    expect((await json(`${origin}/health`)).status).toBe('down')
    await untilHealthy(origin)
    expect((await fetch(`${origin}/api/v1/hosts?session=evening`)).status).toBe(200)
  })

  test('leave no process behind when theirs is killed', async () => {
    const service = run(twoSessions)
    await service.origin()
    const [, pid] = await service.says(/plant: .*process (\d+)/)
    await service.says(/plant: .*listens/)
    service.child.kill('SIGKILL')
    await service.ended
    const isGone = (): boolean => {
      try {
        process.kill(Number(pid), 0)
        return false
      } catch {
        return true
      }
    }
    while (!isGone()) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(isGone()).toBe(true)
  })

  test('end when one of them is refused by its mirror', async () => {
    const service = run(['--listen', '127.0.0.1:0', '--sessions', `a=${small},b=/nowhere.rec`])
    expect((await service.ended)[0]).toBe(2)
    expect(service.out).toContain('b: --source: got "/nowhere.rec", expected simulation, a URL')
  })
})
