/// <reference lib="dom" />
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestService } from './test-service.ts'

const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const isThere = existsSync(program)
if (!isThere) console.warn(`The landing page is not drawn, as there is no ${program}.`)

/** Runs in the page: texts whose contrast is below WCAG's level AA, with the ratio. */
function faintTexts(): string[] {
  const channels = (color: string): number[] => [...color.matchAll(/[\d.]+/g)].map(Number)
  const luminance = (color: string): number => {
    const [red, green, blue] = channels(color).map((value) => {
      const share = value / 255
      return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const backgroundOf = (element: Element | null): string => {
    if (element === null)
      return matchMedia('(prefers-color-scheme: dark)').matches ? 'rgb(0,0,0)' : 'rgb(255,255,255)'
    const { backgroundColor: color } = getComputedStyle(element)
    return channels(color)[3] === 0 ? backgroundOf(element.parentElement) : color
  }
  const found: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() !== null) {
    const { textContent: text, parentElement: element } = texts.currentNode
    if (text!.trim() === '' || !element!.checkVisibility()) continue
    const { color, fontSize, fontWeight } = getComputedStyle(element!)
    const [light, dark] = [luminance(color), luminance(backgroundOf(element))].toSorted((a, b) => b - a)
    const ratio = (light + 0.05) / (dark + 0.05)
    const px = Number.parseFloat(fontSize)
    const isLarge = px >= 24 || (px >= 18.66 && Number(fontWeight) >= 700)
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`${text!.trim().slice(0, 40)}: ${ratio.toFixed(2)}`)
  }
  return found
}

/** Runs in the page: elements beyond the right edge, if the page scrolls horizontally. */
const tooWide = (): string[] => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  return Array.from(document.body.querySelectorAll('*'))
    .filter((element) => element.getBoundingClientRect().right > clientWidth)
    .map((element) => `${element.tagName}: ${element.textContent.slice(0, 40)}`)
}

describe.skipIf(!isThere)('the landing page in Chromium (skipped where it is not installed)', () => {
  let service: TestService
  let browser: Browser

  beforeAll(async () => {
    service = await TestService.start()
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function opened(scheme: 'light' | 'dark', width: number, height = 800): Promise<Page> {
    const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height } })
    await page.goto(`http://127.0.0.1:${service.port}/`)
    // The page's script has replaced the text for browsers without scripts.
    await page.waitForFunction(() => !document.body.innerText.includes('Shown if scripts may run'))
    return page
  }

  test('fills a window with the paper of a picture, and none of it is refused within the page', async () => {
    const page = await browser.newPage()
    const refused: string[] = []
    page.on('console', (message) => refused.push(message.text()))
    await page.goto(`http://127.0.0.1:${service.port}/pictures/floor.svg?theme=dark`)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(16, 22, 29)',
    )
    await page.goto(`http://127.0.0.1:${service.port}/`)
    await page.waitForSelector('#picture > svg')
    expect(refused).toEqual([])
    await page.close()
  })

  test.each([320, 375, 768, 1280])('fits a screen %i px wide', async (width) => {
    const page = await opened('light', width)
    expect(await page.evaluate(tooWide)).toEqual([])
    await page.close()
  })

  test.each([
    [1366, 768],
    [390, 844],
  ])(
    'the first screen of %i × %i has the state of the world, an incident and the picture',
    async (width, height) => {
      const page = await opened('light', width, height)
      await page.waitForSelector('#picture svg')
      expect(await page.innerText('h1')).toBe('3 incidents: 3 Watch')
      expect(await page.title()).toBe('3 incidents: 3 Watch – dcsim-mirror')
      const endOf = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => element.getBoundingClientRect().bottom)
      for (const selector of ['h1', '#risk', '#incidents li'])
        expect(await endOf(selector)).toBeLessThan(height)
      expect(await page.locator('#picture').evaluate((box) => box.getBoundingClientRect().top)).toBeLessThan(
        height - 150,
      )
      await page.close()
    },
  )

  test('a phone shows the zone in trouble first', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    const zone = (id: string, severity: number) => ({
      zone_id: id,
      zone: 'Zone',
      trouble: null,
      state: 'down',
      severity,
      hosts: null,
      power_pct: null,
      inlet_celsius: null,
    })
    const last = '9223372036854775807'
    await page.route('**/tables/zones', (route) => route.fulfill({ json: [zone('7', 0), zone(last, 4)] }))
    await page.goto(`http://127.0.0.1:${service.port}/`)
    const shown = page.locator(`[data-zone="${last}"]`)
    await shown.waitFor()
    await page.waitForFunction(() => document.querySelector('#picture')!.scrollLeft > 0)
    const { x, width } = (await shown.boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(390)
    await page.close()
  })

  test.each(['light', 'dark'] as const)('is legible in %s', async (scheme) => {
    const page = await opened(scheme, 1280)
    expect(await page.evaluate(faintTexts)).toEqual([])
    await page.evaluate(() => {
      const faint = document.createElement('p')
      faint.textContent = 'faint'
      faint.style.setProperty('color', '#808080')
      faint.style.setProperty('background', '#888888')
      document.body.append(faint)
    })
    expect(await page.evaluate(faintTexts)).toEqual([expect.stringMatching(/^faint: 1\./)])
    await page.close()
  })

  test('shows the world once it is published, to one who came before', async () => {
    const starting = await TestService.start({ world: null })
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${starting.port}/`)
    expect(await page.innerText('main')).toContain(
      'This page shows the world as soon as it is there: its state,',
    )
    starting.supply.prompt = true
    starting.supply.answer()
    await page.waitForFunction(() => document.body.innerText.includes('No zones.'), null, { timeout: 10_000 })
    expect(await page.innerText('#status')).toBe('ok')
    await page.close()
    await starting.stop()
  })

  test('says that the world is starting when the mirror was started again', async () => {
    const page = await opened('light', 1280)
    const health = { status: 'starting', reason: 'The world is warming up.', age_ms: 0, publish_seq: 0 }
    await page.route('**/health', (route) => route.fulfill({ json: health }))
    await page.route('**/tables/**', (route) => route.fulfill({ status: 503, json: { status: 503 } }))
    await page.waitForFunction(() => document.querySelector('#status')?.textContent === 'starting')
    // By then, a fifth poll would also have read the world.
    await page.waitForTimeout(6_000)
    expect(await page.innerText('#status')).toBe('starting')
    await page.close()
  })

  test('asks a slow mirror for one answer at a time', async () => {
    const page = await browser.newPage()
    let pending = 0
    const found: number[] = []
    await page.route('**/health', async (route) => {
      found.push(++pending)
      await new Promise((resolve) => void setTimeout(resolve, 2_500))
      pending--
      await route.continue()
    })
    await page.goto(`http://127.0.0.1:${service.port}/`)
    await page.waitForTimeout(8_000)
    expect(found.slice(0, 2)).toEqual([1, 1])
    expect(Math.max(...found)).toBe(1)
    await page.close()
  })

  test('leads a keyboard through every link, in order, and shows where it is', async () => {
    const page = await opened('light', 1280)
    const links = await page.evaluate(() =>
      Array.from(document.querySelectorAll('a[href], summary, button'))
        .filter((element) => element.checkVisibility() && element.getAttribute('tabindex') !== '-1')
        .map((element) => element.textContent),
    )
    expect(links.length).toBeGreaterThan(20)
    const reached: string[] = []
    const unmarked: string[] = []
    // Besides links, scrollable texts can have the focus, and after the last one the page itself.
    while (reached.length < links.length) {
      await page.keyboard.press('Tab')
      const [tag, text, mark] = await page.evaluate(() => {
        const element = document.activeElement!
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        return [element.tagName, element.textContent, `${outlineStyle} ${outlineWidth}`] as const
      })
      if (tag === 'BODY') break
      if (tag !== 'PRE') reached.push(text)
      if (/^none| 0px$/.test(mark)) unmarked.push(text)
    }
    expect(reached).toEqual(links)
    expect(unmarked).toEqual([])
    await page.close()
  })

  test('shows the floor in place of its still, the network one click away, and keeps what it has', async () => {
    const page = await opened('dark', 1280)
    await page.waitForSelector('#picture svg')
    expect(await page.textContent('#picture svg > title')).toBe('Floor: 3 zones')
    await page.click('[data-picture=network]')
    await page.waitForFunction(
      () => document.querySelector('#picture svg > title')?.textContent === 'Network: 3 zones',
    )
    await page.route('**/pictures/**', (route) => route.fulfill({ status: 503, body: 'busy' }))
    await page.waitForTimeout(6_000)
    expect(await page.textContent('#picture svg > title')).toBe('Network: 3 zones')
    await page.close()
  })

  test('keeps the session in every link, also in those of its script', async () => {
    const evening = await TestService.start({ session: 'evening' })
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${evening.port}/?session=evening`)
    await page.waitForSelector('#picture svg a')
    await page.waitForSelector('#incidents li a')
    const sessions = await page.evaluate(() =>
      Array.from(document.querySelectorAll('a[href]'), (link) => link.getAttribute('href')!)
        .filter((href) => !href.startsWith('#'))
        .map((href) => new URL(href, location.href).searchParams.getAll('session').join(' ')),
    )
    expect(new Set(sessions)).toEqual(new Set(['evening']))
    await page.close()
    await evening.stop()
  })

  test('leads from an open incident to its picture', async () => {
    const page = await opened('dark', 1280)
    const headline = await page.textContent('#incidents a')
    await page.click('#incidents a')
    await page.waitForURL(/\/pictures\/incident\.svg\?theme=dark&incident=\d+$/)
    expect(headline).toContain(/incident=(\d+)/.exec(page.url())![1])
    expect(await page.textContent('svg > title')).toContain('ncident')
    await page.close()
  })
})
