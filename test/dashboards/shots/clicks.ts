import type { Page } from 'playwright-core'
import { finishedAfterClick } from './in-page.ts'

/** A click on a link to a page, as seen from the browser. */
export interface Click {
  readonly ms: number
  readonly requests: number
  readonly kilobytes: number
}

/** Clicks on a link to `address` in a page that Grafana has drawn, and measures until all visible panels are drawn. */
export async function click(page: Page, address: string): Promise<Click> {
  const sizes: Promise<number>[] = []
  const count = (response: { body(): Promise<Buffer> }): void =>
    void sizes.push(
      response.body().then(
        ({ length }) => length,
        () => 0,
      ),
    )
  page.on('response', count)
  try {
    const ms = await page.evaluate(finishedAfterClick, address)
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    return { ms, requests: sizes.length, kilobytes: Math.round(bytes / 1024) }
  } finally {
    page.off('response', count)
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** A row of the table, from the clicks on a page. */
export function clickRow(title: string, clicks: readonly Click[]): string {
  const middle = (value: keyof Click): number => median(clicks.map((each) => each[value]))
  const seconds = (ms: number): string => (ms / 1000).toFixed(2)
  const slowest = Math.max(...clicks.map(({ ms }) => ms))
  return `| ${title} | ${seconds(middle('ms'))} s | ${seconds(slowest)} s | ${middle('requests')} | ${middle('kilobytes')} kB |`
}

export const clickHead =
  '| Dashboard | From a click to all panels | Slowest | Requests | Bytes |\n| --- | ---: | ---: | ---: | ---: |'
