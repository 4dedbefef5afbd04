import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routeNames, routes } from '../../src/contract/routes.ts'
import { TestService } from './test-service.ts'

let service: TestService
let html: string
let policy: string

beforeAll(async () => {
  service = await TestService.start()
  const { text, headers } = await service.get('/')
  html = text
  policy = String(headers['content-security-policy'])
})
afterAll(() => service.stop())

test('it names every route but itself, and every link leads somewhere', async () => {
  for (const name of routeNames) {
    const { path } = routes[name]
    expect(path === '/' || html.includes(`<code>${path}`)).toBe(true)
  }
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)
  expect(links.length).toBeGreaterThan(20)
  for (const link of links) expect([link, (await service.get(link)).status]).toEqual([link, 200])
})

test('it needs nothing from elsewhere, and its policy allows nothing else', () => {
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  const hashOf = (element: string) => {
    const text = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html)![1]
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  }
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src ${hashOf('style')}`,
    `script-src ${hashOf('script')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  expect(html).not.toMatch(/ style="| on[a-z]+="/)
})

test('shows how fresh the mirror is', () => {
  expect(html).toMatch(/<b id="age">[0-9]+ ms<\/b>/)
  expect(html).toContain('<b id="sim">day 7, hour 0</b>')
})
