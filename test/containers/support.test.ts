import { expect, test } from 'vitest'
import { fileText, services } from './stack-file.ts'

/** The end of support for each pinned version line. */
const supportedUntil: Readonly<Record<string, string>> = {
  // Published: long-term support for a year.
  'prom/prometheus:v3.13': '2027-07-31',
  // Assumed: a year after this release of 2026-11-09. No dates are published.
  'prom/alertmanager:v0.35': '2027-11-09',
  // Published as a rule: nine months after the first release of the line, 2026-08-18.
  'grafana/grafana:13.2': '2027-05-18',
  // Assumed: a year after this release of 2026-10-19. Fixes come with the next one.
  'victoriametrics/victoria-metrics:v1.154': '2027-10-19',
  // Published: Debian 13 until then, Node 26 longer.
  'node:26-trixie': '2028-08-09',
}

const daysOfNotice = 30
const msPerDay = 86_400_000

/** The line of a version: its first two parts. */
const lineOf = (image: string): string => image.replace(/^([^:]+:(?:v?\d+\.\d+|\d+-[a-z]+)).*$/, '$1')

const pinned = new Set(
  [
    ...services.map(([, { image }]) => image),
    ...[...fileText('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
  ]
    .filter((image) => !image.startsWith('dcsim-mirror:'))
    .map(lineOf),
)

test('the end of support of every pinned image is known', () => {
  expect([...pinned].toSorted()).toEqual(Object.keys(supportedUntil).toSorted())
})

test.each(Object.entries(supportedUntil))('%s is supported for another month: until %s', (_, until) => {
  const daysLeft = (Date.parse(until) - Date.now()) / msPerDay
  expect(Math.floor(daysLeft)).toBeGreaterThan(daysOfNotice)
})
