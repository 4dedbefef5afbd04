/**
 * Draws the pictures of the README from the built-in world: the floor in a crisis, and hours from quiet to crisis to mended.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { themes } from '../../src/pictures/palette.ts'
import { hatching } from '../../src/pictures/shapes.ts'
import { element, group, line, placedWithin, sizeOfSvg, svg } from '../../src/pictures/svg.ts'
import { floorPicture } from '../../src/tables/drawings/floor.ts'
import { byGravity } from '../../src/tables/engine/table-world.ts'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'
import { incidentHeadline } from '../../src/words/incidents.ts'
import { clockText } from '../../src/words/moments.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import { shippedScenario } from '../../src/world/scenarios/shipped.ts'
import { commandLine } from '../fixtures/command-line.ts'
import { framesOf } from '../recording/recorded.ts'
import { worldOf } from '../tables/framed-worlds.ts'
import { bandRank } from '../../src/words/vocabulary.ts'

const usage = `npm run node test/pictures/floor-pictures.ts

Draws docs/pictures/floor-crisis.svg and docs/pictures/power-feed-lost.svg from the built-in world, in half a minute.`

commandLine(usage, { options: {} })
const theme = themes.dark
const stepsPerMinute = 6
/** Simulated minutes: the feed is lost at 120 and restored at about 330. */
const minutes = Array.from({ length: 24 }, (_, index) => 96 + 12 * index)
const crisisMinute = 144
const secondsShown = 20
const captionHeight = 34

interface Scene {
  readonly minute: number
  readonly picture: string
  readonly caption: string
}

function captionOf(world: TableWorld): string {
  const open = world.records.all('incidents').toSorted(byGravity)
  const grave = open.find(({ band }) => bandRank(band) >= 2)
  return `${clockText(world.nowNs)}   ${grave === undefined ? 'All is well' : incidentHeadline(grave)}`
}

function* scenes(): Generator<Scene> {
  const scenario = shippedScenario('power-feed-lost')
  const simulation = createSimulation({ seed: 13n, scale: 'medium', speed: 60, scenario, warmUp: 0 })
  const framed = framesOf()
  let minute = 0
  for (const wanted of minutes) {
    for (; minute < wanted; minute++) for (let step = 0; step < stepsPerMinute; step++) simulation.step()
    const world = worldOf(framed(simulation.snapshot()))
    const picture = floorPicture(world, { filters: new Map(), isLinked: false, size: null }, theme)
    yield { minute, picture, caption: captionOf(world) }
  }
}

/** All scenes over each other, of which one is visible at a time; only the crisis where motion is unwanted. */
function moving(shown: readonly Scene[]): string {
  const { width, height } = sizeOfSvg(shown[0].picture)
  const share = Math.round(1e4 / shown.length) / 100
  const style =
    `.f{visibility:hidden;animation:f ${secondsShown}s step-end infinite}.s{visibility:visible}` +
    `@keyframes f{0%{visibility:visible}${share}%{visibility:hidden}}@media (prefers-reduced-motion){.f{animation:none}}`
  const frames = shown.map(({ minute, picture, caption }, index) => {
    const delay = Math.round(1000 * secondsShown * (index / shown.length - 1))
    return group(
      { class: minute === crisisMinute ? 'f s' : 'f', style: `animation-delay:${delay}ms` },
      line(8, 23, caption, { size: 16, bold: true, fill: theme.ink, width: width - 16 }) +
        placedWithin(0, captionHeight, picture),
    )
  })
  const full = height + captionHeight
  return svg({
    width,
    height: full,
    title: 'A power feed is lost, hosts go down, and all is mended',
    description: shown.map(({ caption }) => caption).join('. '),
    // The first pattern of a name counts: one within a hidden scene would be hidden too.
    definitions: hatching,
    paper: theme.paper,
    content: element('style', {}, style) + frames.join(''),
  })
}

function write(name: string, text: string): void {
  const path = fileURLToPath(new URL(`../../docs/pictures/${name}`, import.meta.url))
  writeFileSync(path, `${text}\n`)
  console.log(`${path}: ${Math.round(Buffer.byteLength(text) / 1000)} kB`)
}

const shown = [...scenes()]
write('floor-crisis.svg', shown.find(({ minute }) => minute === crisisMinute)!.picture)
write('power-feed-lost.svg', moving(shown))
