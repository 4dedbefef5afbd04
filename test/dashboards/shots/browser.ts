import { chromium } from 'playwright-core'
import type { Browser as Chromium, Page } from 'playwright-core'
import { click } from './clicks.ts'
import type { Click } from './clicks.ts'
import { asWebp, isDrawn, pageState, wholeHeight } from './in-page.ts'
import type { PageState } from './in-page.ts'

export interface Seen extends PageState {
  readonly picture: Buffer
  readonly firstScreenMs: number
  readonly pageErrors: readonly string[]
}

const flags = [
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking',
  '--disable-component-update --disable-sync',
].flatMap((line) => line.split(' '))

const screenHeight = 1080
/** Higher pages are truncated. */
const mostHeight = 9000
const waitMs = 120_000
/** Panels send their queries a moment after they have become visible. */
const settleMs = 1500

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** A headless browser for dashboards. */
export class Browser {
  readonly #chromium: Chromium

  private constructor(browser: Chromium) {
    this.#chromium = browser
  }

  static async start(): Promise<Browser> {
    const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
    return new Browser(await chromium.launch({ executablePath, args: flags }))
  }

  /** A screenshot of the whole dashboard, or of its first screen, at a width. */
  async look(address: string, width: number, isWhole: boolean): Promise<Seen> {
    const page = await this.#chromium.newPage({ viewport: { width, height: screenHeight } })
    const pageErrors = new Set<string>()
    page.on('pageerror', ({ message }) => pageErrors.add(message))
    page.on('console', (message) => {
      if (message.type() === 'error') pageErrors.add(message.text().slice(0, 200))
    })
    try {
      const beganMs = performance.now()
      await page.goto(address, { waitUntil: 'domcontentloaded', timeout: waitMs })
      await this.#drawn(page)
      const firstScreenMs = performance.now() - beganMs
      await this.#settled(page)
      if (isWhole) {
        const height = await page.evaluate(wholeHeight)
        await page.setViewportSize({ width, height: Math.min(Math.max(height, screenHeight), mostHeight) })
        await this.#settled(page)
      }
      const png = await page.screenshot()
      const seen = await page.evaluate(pageState)
      const picture = Buffer.from(await this.#webp(png), 'base64')
      return { ...seen, picture, firstScreenMs, pageErrors: [...pageErrors] }
    } finally {
      await page.close()
    }
  }

  /** Times of clicks on pages visited before, of another hour each time: Grafana 13 keeps what it has read. */
  async clicks(addresses: readonly string[], width: number, times: number): Promise<Click[][]> {
    const page = await this.#chromium.newPage({ viewport: { width, height: screenHeight } })
    await page.goto(addresses.at(-1)!, { waitUntil: 'domcontentloaded', timeout: waitMs })
    await this.#settled(page)
    const found: Click[][] = addresses.map(() => [])
    for (let round = 0; round <= times; round++)
      for (const [index, address] of addresses.entries()) {
        const each = await click(page, address.replace(/\bfrom=[^&]+/, `from=now-${60 + round}m`))
        if (round > 0) found[index].push(each)
      }
    await page.close()
    return found
  }

  async #drawn(page: Page): Promise<void> {
    try {
      await page.waitForFunction(isDrawn, undefined, { timeout: waitMs })
    } catch {
      const text = (await page.innerText('body')).replaceAll(/\s+/g, ' ').slice(0, 200)
      throw new Error(`${page.url()} was not drawn within ${waitMs / 1_000} s. It says: ${text}`)
    }
  }

  async #settled(page: Page): Promise<void> {
    await pause(settleMs)
    await this.#drawn(page)
    await pause(settleMs)
    await this.#drawn(page)
  }

  async #webp(png: Buffer): Promise<string> {
    const page = await this.#chromium.newPage()
    try {
      return await page.evaluate(asWebp, png.toString('base64'))
    } finally {
      await page.close()
    }
  }

  async stop(): Promise<void> {
    await this.#chromium.close()
  }
}
