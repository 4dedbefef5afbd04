/** Bounds of shapes, where what is drawn would take more. */
import { collections } from '../../src/contract/collections.ts'
import { floorLayout } from '../../src/pictures/floor/floor-layout.ts'
import { networkLayout } from '../../src/pictures/network/cards.ts'
import type { NetworkLink, NetworkZone } from '../../src/pictures/network/description.ts'
import { drawNetwork } from '../../src/pictures/network/network.ts'
import { themes } from '../../src/pictures/palette.ts'
import { drawBack, drawCables } from '../../src/pictures/sheets/rack-back.ts'
import type { CabledDevice } from '../../src/pictures/sheets/rack-back.ts'
import { sizeOfSvg } from '../../src/pictures/svg.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { countedWorld, drawn, worldWith } from './drawings.ts'
import { askBounds } from '../fixtures/bounds.ts'

const list = <T>(count: number, of: (id: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index + 1))
const theme = themes.dark

const floor = (zones: number, racks: number, hosts: number, width: number | null, height = width ?? 0) =>
  floorLayout(
    list(zones, () => ({ rows: [racks], coolingUnits: 0 })),
    hosts,
    width === null ? null : { width, height },
  )

const shown = { trouble: '', summary: '', href: null, state: null, share: null, defense: null }
const zones = list(6, (id) => {
  const node = { key: `n${id}`, name: `n${id}`, kind: 'Gateway', tier: 1, row: '', hosts: [] }
  return { name: `z${id}`, nodes: [Object.assign(node, shown)] }
}).map((zone) => Object.assign(zone, shown)) as NetworkZone[]
const loads = { cables: 1, capacityGbps: 1e9, inGbps: 1, outGbps: 1, severity: 0, down: 0 }
const links = list(5, (id) => Object.assign({ from: 'n1', to: `n${id + 1}` }, loads)) as NetworkLink[]
const settings = { size: null, title: '', description: '', hasTitles: false, moment: '' }
const network = drawNetwork(zones, links, { ...settings, theme })

const cable = worldWith({ cables: [emptyRecord(collections.cables, { id: 1 })] })
const box = { x: 0, y: 0, width: 200, height: 10 }
const deviceWith = (given: Partial<CabledDevice>) =>
  ({ name: '', liveFeeds: null, condition: null, ports: [], cables: [], ...given }) as CabledDevice
const names = list(9, (id) => `s${id}`)
const switches = names.map((name, to) => deviceWith({ name, cables: [{ to, severity: 0 }] }))
const cabled = { devices: switches, switches: names, feeds: [] }
const boxOf = () => box

askBounds([
  ['the width of a rack', () => floor(1, 1, 0, null).slotWidth, 92],
  ['hosts in units', () => [2600, 2601].map((hosts) => floor(1, 1, hosts, null).detail), ['units', 'racks']],
  ['racks', () => [100, 101].map((racks) => floor(40, racks, 0, 7999).detail), ['units', 'rows']],
  ['rooms side by side', () => [40, 41].map((zones) => floor(zones, 1, 0, 7999, 200).columns), [40, 1]],
  [
    'zones side by side',
    () => sizeOfSvg(drawn('power', countedWorld(5, 1, 1))),
    { width: 1100, height: 892 },
  ],
  ['a card', () => networkLayout(zones.slice(0, 1), null).columns[0].cards[0].box.width, 138],
  ['the width of a link', () => /stroke-width='(1\d+)'/.exec(network)![1], '12'],
  [
    'rails',
    () => Array.from(network.matchAll(/M157.3 96v(\d+)h/g), ([, below]) => below).join(' '),
    '12 18 24 30 12',
  ],
  ['ports', () => /M(\d+)/.exec(drawBack(deviceWith({ ports: [0] }), box, [], theme))![1], '187'],
  ['ducts', () => drawCables(cabled, box, boxOf).split('opacity').length - 1, 8],
  [
    'the card of a cable',
    () => /height='(1\d\d)'/.exec(drawn('cable', cable, { size: { width: 900, height: 800 } }))![1],
    '122',
  ],
])
