import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../fixtures/free-port.ts'
import { isAvailable } from '../fixtures/tools.ts'
import { hasWindows, isLeftOut, isWindows, Windows } from './windows.ts'

if (isLeftOut) console.warn('There is no Wine: Windows itself runs the tests of dcsim-mirror.exe.')

/** Where the executable and all of its files are. */
const home = 'Größe und Maß'
const file = (name: string): string => `${home}/Local/dcsim-mirror/${name}`

describe.runIf(!isLeftOut && isAvailable('Wine (DCSIM_WINE)', hasWindows))('dcsim-mirror.exe', () => {
  let windows: Windows
  let origin = ''
  let environment: Readonly<Record<string, string>> = {}
  let mirror: Awaited<ReturnType<Windows['program']>>

  const fetchText = async (path: string): Promise<string> => await (await fetch(`${origin}${path}`)).text()
  const published = async (): Promise<number> =>
    Number(/"publish_seq":(\d+)/.exec(await fetchText('/health'))![1])
  const isHeld = (): boolean => existsSync(join(windows.folder, file('session.dcsim-lock')))

  /** As a double click starts it: without arguments. */
  async function doubleClick(): Promise<void> {
    mirror = await windows.program([], { environment })
    await vi.waitFor(() => expect(mirror.output()).toContain('Ready after'), 100_000)
  }

  /** Starts again after an end: all that was published has happened. */
  async function expectContinued(before: number): Promise<void> {
    await doubleClick()
    const [, last] = /is continued at .+, after publish (\d+)\./.exec(mirror.output())!
    expect(Number(last)).toBeGreaterThanOrEqual(before)
    await expect.poll(published).toBeGreaterThan(Number(last))
    expect(await fetchText('/tables/events.csv?text=failed')).toContain('failed')
  }

  beforeAll(async () => {
    windows = await Windows.start(home)
    const address = `127.0.0.1:${await freePort()}`
    origin = `http://${address}`
    environment = { LOCALAPPDATA: windows.path(home, 'Local'), DCSIM_LISTEN: address }
    await doubleClick()
  }, 600_000)
  afterAll(() => windows.close())

  test('a double click starts the world that comes with it', async () => {
    expect(mirror.output()).not.toContain('warming up')
    expect(mirror.output()).toContain('To stop it, close this window or press Ctrl-C')
    expect(await fetchText('/')).toContain('<title>')
    expect(await fetchText('/metrics')).toMatch(/^dcsim_host_powered\{/m)
    expect(await fetchText('/tables/hosts.csv?limit=1')).toMatch(/^host_id,.*\r\n\d+,/)
    expect(await fetchText('/pictures/floor.svg')).toMatch(/^<svg /)
    expect(await fetchText('/runbooks/DcsimSwitchDown')).toContain('Mitigation')
  })

  // On Windows it opens in a browser, whose pages no test sees.
  test.skipIf(isWindows)('its page is opened', async () => {
    await expect.poll(() => windows.openedPage(), { timeout: 20_000 }).toBe(`${origin}/`)
  })

  test('its session is kept in the folder of the user', () => {
    for (const name of ['session.dcsim', 'session.dcsim-lock'])
      expect(existsSync(join(windows.folder, file(name)))).toBe(true)
  })

  test('act, check and what-if', async () => {
    const [acted, answer] = await windows.run(['act', 'HostFailure first for 2h'], { environment })
    expect([acted, answer]).toEqual([0, expect.stringContaining('injected HostFailure')])
    const [checked, report] = await windows.run(['check', origin])
    expect([checked, report]).toEqual([0, expect.stringContaining('nothing is wrong')])
    const [asked, consequences] = await windows.run(['what-if', 'PowerFeedLoss busiest', '--for', '1h'])
    expect([asked, consequences]).toEqual([0, expect.stringMatching(/customers? would be hurt|No customer/)])
  })

  test('a second one of the same session is refused, and so is one at the same address', async () => {
    const other = { ...environment, DCSIM_LISTEN: `127.0.0.1:${await freePort()}` }
    const [held, reason] = await windows.run([], { environment: other })
    expect([held, reason]).toEqual([1, expect.stringContaining('is in use by another process')])
    const [refused, problem] = await windows.run(['--cache', 'none'], { environment })
    expect([refused, problem]).toEqual([1, expect.stringContaining('address already in use')])
  })

  test.each([
    ['Ctrl-C', 'SIGINT', () => windows.pressCtrlC()],
    ['closing the window', 'SIGHUP', () => mirror.closeWindow()],
  ])('%s saves, and the next start continues with what happened', async (_, signal, end) => {
    const before = await published()
    await end()
    expect(await mirror.exit()).toBe(0)
    expect(mirror.output()).toContain(`Shutting down: received ${signal}.`)
    expect(isHeld()).toBe(false)
    await expectContinued(before)
  })

  test('a killed one leaves a sound file, which refuses no next start: it continues where it was', async () => {
    const before = await published()
    await mirror.kill()
    expect(await mirror.exit()).not.toBe(0)
    expect(isHeld()).toBe(true)
    const [inspected, report] = await windows.run(['inspect', windows.path(file('session.dcsim'))])
    expect([inspected, report]).toEqual([0, expect.stringMatching(/, sound\n/)])
    await expectContinued(before)
  })

  test('bin/dcsim-mirror.cmd runs a checkout with the Node on the PATH', async () => {
    const checkout = join(windows.folder, home, 'a checkout')
    for (const name of ['bin', 'src', 'node_modules']) mkdirSync(join(checkout, name), { recursive: true })
    copyFileSync(
      join(import.meta.dirname, '../../bin/dcsim-mirror.cmd'),
      join(checkout, 'bin/dcsim-mirror.cmd'),
    )
    writeFileSync(
      join(checkout, 'src/main.ts'),
      'const words: string[] = process.argv.slice(2)\nconsole.log(process.execArgv, words)\n',
    )
    const command = ['/d', '/c', 'call', windows.path(home, 'a checkout', 'bin', 'dcsim-mirror.cmd')]
    const run = (): Promise<unknown> =>
      windows.run([...command, 'act', 'two words'], {
        program: 'C:\\windows\\system32\\cmd.exe',
        environment: { NODE_NO_WARNINGS: '1', PATH: windows.path() },
      })
    expect(await run()).toEqual([1, 'dcsim-mirror: its packages are not installed; run: npm ci \r\n'])
    writeFileSync(join(checkout, 'node_modules/.package-lock.json'), '{}')
    expect(await run()).toEqual([0, "[ '--max-semi-space-size=16' ] [ 'act', 'two words' ]\n"])
  })
})
