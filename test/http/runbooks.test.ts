import { afterAll, expect, test } from 'vitest'
import { alertNames } from '../../alerts/cases/alert-cases.ts'
import { markdownToHtml } from '../../src/http/runbooks/markdown.ts'
import { createRunbookPages } from '../../src/http/runbooks/runbook-pages.ts'
import { TestService } from './test-service.ts'

const service = await TestService.start()
afterAll(async () => service.stop())

test('every alert has a page with its four sections', async () => {
  for (const alert of alertNames) {
    const { status, text, headers } = await service.get(`/runbooks/${alert}`)
    expect([alert, status, headers['content-type']]).toStrictEqual([alert, 200, 'text/html; charset=utf-8'])
    const sections = [...text.matchAll(/<h2>(?<title>[^<]*)<\/h2>/g)].map(({ groups }) => groups!['title'])
    expect([alert, sections]).toStrictEqual([alert, ['Meaning', 'Impact', 'Diagnosis', 'Mitigation']])
    expect(text).toContain(`<title>${alert} – runbook</title>`)
  }
})

test('the list links every page once', async () => {
  const { text } = await service.get('/runbooks')
  const linked = [...text.matchAll(/href="runbooks\/(?<alert>\w+)"/g)].map(({ groups }) => groups!['alert'])
  expect(linked.toSorted()).toStrictEqual(alertNames.toSorted())
})

test('paths that can be followed are links, and those answer', async () => {
  const paths = new Set<string>()
  for (const alert of alertNames) {
    const { text } = await service.get(`/runbooks/${alert}`)
    for (const { groups } of text.matchAll(/href="\.\.(?<path>\/(?:tables|api|health|openapi)[^"]*)"/g))
      paths.add(groups!['path'].replaceAll('&amp;', '&'))
  }
  expect(paths.size).toBeGreaterThan(20)
  for (const path of paths) expect([path, (await service.get(path)).status]).toStrictEqual([path, 200])
})

test('nothing but its own style may load', async () => {
  const { headers } = await service.get('/runbooks/DcsimHostDown')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /)
})

test('Markdown is headings, paragraphs, lists, code and links, and nothing of it is HTML', () => {
  const markdown =
    '# A <b>\n\nTwo\nlines, `x < 1` and [there](https://example.org/a).\n\n- one\n  more\n- `/tables/hosts`\n- `/api/v1/hosts/ID`'
  expect(markdownToHtml(markdown)).toBe(
    '<h1>A &lt;b&gt;</h1>\n' +
      '<p>Two lines, <code>x &lt; 1</code> and <a href="https://example.org/a">there</a>.</p>\n' +
      '<ul><li>one more</li><li><a href="../tables/hosts"><code>/tables/hosts</code></a></li>' +
      '<li><code>/api/v1/hosts/ID</code></li></ul>',
  )
  expect(markdownToHtml('[x](javascript:alert)')).toBe('<p>[x](javascript:alert)</p>')
})

test('an installation without runbooks says so', () => {
  const { index } = createRunbookPages(new Map(), '')
  expect(Buffer.from(index.slices[0].source).toString()).toContain('This installation ships no runbooks.')
})

test('each page has a mitigation in the built-in world, even if its runbook has none', async () => {
  for (const alert of alertNames) {
    const { text } = await service.get(`/runbooks/${alert}`)
    expect([alert, text.match(/In the built-in world:/g)?.length]).toStrictEqual([alert, 1])
  }
  const { text } = await service.get('/runbooks/DcsimHostDown')
  expect(text).toContain('Its technicians and automation work on it by themselves')
})
