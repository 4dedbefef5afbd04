/** Pictures as rows: each is drawn when its cell is read. */
import type { WorldPart } from '../../contract/collections.ts'
import { oneOf, str } from '../../contract/fields.ts'
import { themeNames, themes } from '../../pictures/palette.ts'
import type { ThemeName } from '../../pictures/palette.ts'
import type { Size } from '../../pictures/svg.ts'
import { dataAddress, fillingPanel } from '../../pictures/svg.ts'
import { isChosen } from '../engine/query.ts'
import { column, defineTable } from '../engine/table.ts'
import type { FilterChoices } from '../engine/table.ts'
import { once } from '../engine/once.ts'
import { cablePicture } from './cable.ts'
import { floorPicture } from './floor.ts'
import { incidentPicture } from './incident.ts'
import { networkPicture } from './network.ts'
import { powerPicture } from './power.ts'
import { rackPicture } from './rack.ts'

type Draw = typeof floorPicture
type World = Parameters<Draw>[0]

/** Every picture: what it shows, and what draws it. */
export const drawings = {
  floor: {
    meaning: 'Zones as rooms, with every rack in its row, power, cooling and warmth. Filter: zone.',
    draw: floorPicture,
  },
  network: {
    meaning:
      'Tiers from upstream to racks, with links as wide as they can carry. Filter: zone; one zone has its hosts.',
    draw: networkPicture,
  },
  power: {
    meaning: 'Power feeds, racks and cooling units, with what would follow if one failed. Filter: zone.',
    draw: powerPicture,
  },
  rack: {
    meaning:
      'A rack with the names, loads, feeds and cables of its devices. Filters: rack, zone; the one in the worst state where left out.',
    draw: rackPicture,
  },
  incident: {
    meaning:
      'From the cause of an incident over its place to those who are hit. Filter: incident; the gravest where left out.',
    draw: incidentPicture,
  },
  cable: {
    meaning:
      'A cable from a port to its far end, with what it passes. Filters: cable, port, device, host; of a device the port in the worst state where left out.',
    draw: cablePicture,
  },
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly draw: Draw }>>

export type PictureName = keyof typeof drawings
export const pictureNames = Object.keys(drawings) as PictureName[]

/** The parts of a world that each picture shows. */
export const pictureParts: Readonly<Record<PictureName, readonly WorldPart[]>> = {
  floor: ['azs', 'hosts', 'switches', 'gateways', 'appliances', 'incidents', 'workOrders'],
  network: ['azs', 'hosts', 'switches', 'gateways', 'appliances', 'cables'],
  power: ['azs'],
  rack: ['azs', 'hosts', 'switches', 'gateways', 'appliances', 'patchPanels', 'cables'],
  incident: ['incidents'],
  cable: ['cables', 'switches', 'gateways', 'appliances', 'patchPanels', 'hosts'],
}

/** The filters that choose what pictures show, rather than which of them. */
const subjects = ['zone', 'rack', 'incident', 'cable', 'port', 'device', 'host'] as const

/** A picture for a request, drawn at most twice: for pages, and as a background. */
interface PictureItem {
  readonly name: PictureName
  readonly theme: ThemeName
  readonly filters: FilterChoices
  /** With links to tables. */
  readonly page: () => string
  readonly background: () => string
}

const themeOf = (filters: FilterChoices): ThemeName =>
  themeNames.find((name) => filters.has('theme') && isChosen(filters, 'theme', [name])) ?? 'neutral'

/** A panel on a phone, a laptop and a large screen. */
const sizesMax = 3
/** From 200 to 7999 pixels each way. */
const sizeForm = /^([2-9]\d\d|[1-7]\d{3})x([2-9]\d\d|[1-7]\d{3})$/

/** The sizes that are asked for, as far as they are some. */
const sizesOf = (filters: FilterChoices): readonly Size[] =>
  (filters.get('size') ?? [])
    .flatMap((value) => value.split(','))
    .slice(0, sizesMax)
    .flatMap((value) => {
      const [, width, height] = sizeForm.exec(value) ?? []
      return width === undefined ? [] : [{ width: Number(width), height: Number(height) }]
    })

function itemFor(name: PictureName, filters: FilterChoices, world: World): PictureItem {
  const theme = themeOf(filters)
  const drawn = (isLinked: boolean, size: Size | null): string =>
    drawings[name].draw(world, { filters, isLinked, size }, themes[theme])
  const [first = null, ...others] = sizesOf(filters)
  const background = once(() => fillingPanel([first, ...others].map((size) => drawn(false, size))))
  return { name, theme, filters, page: once(() => drawn(true, first)), background }
}

/** The address of a picture on the mirror. */
function pathOf({ name, filters, theme }: PictureItem): string {
  const query = subjects.flatMap((filter) =>
    (filters.get(filter) ?? []).map((value) => `${filter}=${encodeURIComponent(value.toWellFormed())}`),
  )
  return `/pictures/${name}.svg?${[...query, `theme=${theme}`].join('&')}`
}

export const pictures = defineTable<PictureItem>({
  name: 'pictures',
  meaning: 'Pictures of the world as SVG, in addresses that can be the background of a panel.',
  row: ['PictureRow', 'A picture.'],
  worldParts: [],
  entities: (world) => pictureNames.map((name) => itemFor(name, new Map(), world)),
  // The filters choose what is drawn, so each request has items of its own.
  entitiesFor: ({ filters }, world) =>
    pictureNames
      .filter((name) => isChosen(filters, 'picture', [name]))
      .map((name) => itemFor(name, filters, world)),
  itemsOf: (item) => [item],
  documentOf: ({ page }) => page(),
  filters: {
    picture: { meaning: `Name of a picture: ${pictureNames.join(', ')}.`, values: ({ name }) => [name] },
    // These choose what is drawn, and exclude no picture.
    zone: { meaning: 'Id or name of a zone to draw.' },
    rack: { meaning: 'Id or name of a rack to draw.' },
    incident: { meaning: 'Id of an incident to draw.' },
    cable: { meaning: 'Id of a cable to draw.' },
    port: { meaning: 'Id of a port to draw from; with a device, its label too.' },
    device: { meaning: 'Name of a device to draw from.' },
    host: { meaning: 'Id or name of a host to draw from.' },
    size: {
      meaning:
        'Width and height in pixels to fill, as in 480x300; of up to three, a background shows the widest that fits.',
    },
    theme: {
      meaning: `The ground that it is for: ${themeNames.join(', ')}; neutral where left out, which is for both.`,
      allowed: themeNames,
    },
  },
  columns: {
    picture: column(oneOf(pictureNames, 'Name of the picture.'), 'name'),
    meaning: column(str('What it shows.'), ({ name }) => drawings[name].meaning),
    path: column(str('Where it is served, with links.'), pathOf),
    image: column(str('The picture as a data: address, for url("…") of a style sheet.'), ({ background }) =>
      dataAddress(background()),
    ),
  },
})
