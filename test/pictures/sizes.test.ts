import { expect, test } from 'vitest'
import { fillingPanel, sizeOfSvg } from '../../src/pictures/svg.ts'
import type { PictureName } from '../../src/tables/drawings/pictures.ts'
import { everyDashboard, panelsOf } from '../dashboards/dashboard-json.ts'
import { crisisSnapshot, frameOf, quietSnapshot, worldOf } from '../tables/framed-worlds.ts'
import { countedWorld, drawn } from './drawings.ts'
import { forbiddenIn } from './drawn-shapes.ts'

const worlds = { quiet: worldOf(frameOf(quietSnapshot())), crisis: worldOf(frameOf(crisisSnapshot())) }
const zone = String(worlds.quiet.zones[0].id)

const urls = everyDashboard
  .flatMap(panelsOf)
  .flatMap(({ targets = [] }) => targets.map(({ url = '' }) => url))
const asked = urls
  .flatMap((url) => Array.from(url.matchAll(/picture=(\w+)&.*size=([\dx,]+)$/g)))
  .flatMap(([, name, sizes]) => sizes.split(',').map((size) => [name as PictureName, size] as const))

test.each(asked)('%s fills %s, with every text in it and legible, of all zones and of one', (name, size) => {
  const [width, height] = size.split('x').map(Number)
  for (const world of Object.values(worlds))
    for (const filters of [{}, { zone }] as const) {
      const svg = drawn(name, world, { size: { width, height }, filters })
      expect(sizeOfSvg(svg)).toEqual({ width, height })
      expect(forbiddenIn(svg)).toEqual([])
      expect(svg).not.toMatch(/height='9' fill='#10251f'[^>]*stroke-width='1.4'/)
    }
})

test('the floor of Session has the WAN and both feeds of every zone on a laptop and a screen', () => {
  const session = everyDashboard.find(({ uid }) => uid === 'dcsim-session')!
  const floor = panelsOf(session).find(({ title }) => title === 'Floor')!
  const sizes = /size=[\dx]+,([\dx,]+)/.exec(floor.targets![0].url!)![1].split(',')
  expect(sizes).toHaveLength(2)
  for (const [width, height] of sizes.map((size) => size.split('x').map(Number)))
    for (const world of Object.values(worlds)) {
      const svg = drawn('floor', world, { size: { width, height } })
      const zones = world.zones.length
      const shown = { wan: svg.match(/>WAN \d/g)?.length, feeds: svg.match(/<rect [^>]*rx='8.5'/g)?.length }
      expect({ width, ...shown }).toEqual({ width, wan: zones, feeds: 2 * zones })
    }
})

test('a floor of many zones fills its size too', () => {
  const size = { width: 475, height: 292 }
  expect(sizeOfSvg(drawn('floor', countedWorld(40, 30, 10), { size }))).toEqual(size)
})

test('of drawings for several sizes a background shows the widest that fits, and has what they share once', () => {
  const size = (width: number) => ({ width, height: 292 })
  const [wide, narrow] = [752, 356].map((width) => drawn('floor', worlds.crisis, { size: size(width) }))
  const both = fillingPanel([wide, narrow])
  expect(both).toMatch(
    /^<svg xmlns='[^']*'><style>@media\(min-width:752px\)\{\.p\{display:none\}\.p1\{display:inline\}\}<\/style><defs>/,
  )
  expect(both.match(/<defs>/g)).toHaveLength(1)
  const variants = [
    ...both.matchAll(/viewBox='0 0 (\d+) 292' class='p (p\d)' width='100%' height='100%'( display='none')?/g),
  ]
  expect(variants.map(([, ...parts]) => parts)).toEqual([
    ['356', 'p0', undefined],
    ['752', 'p1', " display='none'"],
  ])
  expect(fillingPanel([wide])).toBe(wide)
})

test('in a low rack, no frame of a device crosses its name', () => {
  const svg = drawn('rack', worlds.crisis, { size: { width: 356, height: 558 } })
  const framed = [...svg.matchAll(/<rect [^>]*height='([\d.]+)'[^>]*stroke-width='1.4'/g)]
  const heights = framed.map(([, height]) => Number(height))
  expect(heights.length).toBeGreaterThan(0)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(12)
  expect(svg).toContain('>b01-u22<')
})
