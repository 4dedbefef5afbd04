/// <reference lib="dom" />
/** Functions that run in the page: they must not refer to anything outside themselves. */

/** The visible state of a drawn dashboard. */
export interface PageState {
  readonly panels: number
  readonly panelErrors: string[]
  readonly empty: string[]
  readonly cut: string[]
}

/** Whether every visible panel has its data. Grafana marks waiting panels in one of these ways, by version. */
export function isDrawn(): boolean {
  const panels = document.querySelectorAll('.react-grid-item').length
  const waiting = document.querySelector(
    '[aria-label="Panel loading bar"], [data-testid="data-testid Panel loading bar"], .panel-loading',
  )
  return panels > 0 && waiting === null
}

/** Clicks on a link within Grafana, and resolves with the time until the visible panels of its page have their data. */
export async function finishedAfterClick(address: string): Promise<number> {
  const limitMs = 60_000
  const quietMs = 700
  const endOf = (entry: PerformanceEntry): number => (entry as PerformanceResourceTiming).responseEnd
  const before = document.querySelector('.react-grid-item')
  const link = document.createElement('a')
  link.href = address
  document.body.append(link)
  // The browser keeps 250 by default.
  performance.clearResourceTimings()
  performance.setResourceTimingBufferSize(1_000)
  const beganMs = performance.now()
  link.click()
  link.remove()
  let drawnMs = 0
  while (performance.now() - beganMs < limitMs) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const isNew = before?.isConnected !== true && document.querySelector('.react-grid-item') !== null
    const waits = document.querySelector(
      '[aria-label="Panel loading bar"], [data-testid="data-testid Panel loading bar"], .panel-loading',
    )
    if (!isNew || waits !== null) drawnMs = 0
    else if (drawnMs === 0) drawnMs = performance.now()
    // Grafana shows no bar while it reads the dashboard, its variables and marks, nor where data comes quickly.
    const lastMs = Math.max(drawnMs, ...performance.getEntriesByType('resource').map(endOf))
    if (drawnMs > 0 && performance.now() - lastMs > quietMs) return lastMs - beganMs
  }
  throw new Error(`${address} was not drawn within ${limitMs / 1000} s of the click.`)
}

/** The height of the dashboard, including the bars above it. Since Grafana 13, each section has a grid of its own. */
export function wholeHeight(): number {
  const bottoms = [...document.querySelectorAll('.react-grid-layout')].map(
    (grid) => grid.getBoundingClientRect().bottom + window.scrollY + 24,
  )
  return Math.ceil(Math.max(0, ...bottoms))
}

export function pageState(): PageState {
  const head = 'data-testid Panel header '
  const panelOf = (element: Element): string =>
    element.closest(`[data-testid^="${head}"]`)?.getAttribute('data-testid')?.slice(head.length) ?? ''
  const named = (selector: string): string[] => [
    ...new Set([...document.querySelectorAll(selector)].map(panelOf)),
  ]
  const isCut = (element: Element): boolean => {
    const { overflowX, textOverflow } = getComputedStyle(element)
    const hides = overflowX === 'hidden' || textOverflow === 'ellipsis'
    return hides && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1
  }
  const hasOwnText = (element: Element): boolean =>
    [...element.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '')
  const texts = [...document.querySelectorAll('.react-grid-item *')].filter(hasOwnText)
  const cut = texts
    .filter((element) => isCut(element) || (element.parentElement !== null && isCut(element.parentElement)))
    .map((element) => `${panelOf(element)}: “${(element.textContent ?? '').trim().slice(0, 60)}”`)
  return {
    panels: document.querySelectorAll('.react-grid-item').length,
    panelErrors: named('[data-testid="data-testid Panel status error"], [aria-label="Panel status error"]'),
    empty: named('[data-testid="data-testid Panel data error message"]'),
    cut: [...new Set(cut)],
  }
}

/** Converts a picture to WebP, which is a third of the size. */
export async function asWebp(png: string): Promise<string> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  canvas.getContext('2d')!.drawImage(image, 0, 0)
  return canvas.toDataURL('image/webp', 0.9).split(',')[1]
}
