import type { TopologyDraft } from './topology-builder.ts'

/** Positions in the room of a zone, and cable routes between them. Coordinates are x, y, z in meters. */

type Point = readonly number[]

const rackWidth = 0.6
const rowPitch = 3
const unitHeight = 0.0445
const plinth = 0.1
const rowTrayHeight = 2.6
const spineHeight = 2.85
/** Building entry of WAN lines. */
const entry: Point = [-2.4, -3, 2.85]
/** Extra cable length for bends and slack. */
const slackM = 0.4
const slotsPerTray = 32

const cm = (meters: number): number => Math.round(meters * 100) / 100

export interface Spot {
  readonly zone: number
  readonly rack: number
  readonly startU: number
}

function pointOf(draft: TopologyDraft, spot: Spot): Point {
  const rack = draft.racks[spot.rack]
  return [
    cm(1.2 + rack.place * rackWidth),
    cm(rack.rowIndex * rowPitch),
    cm(plinth + spot.startU * unitHeight),
  ]
}

export interface CableRoute {
  readonly points: readonly Point[]
  /** Rows of the trays along the route, and the slot in each. */
  readonly trays: readonly number[]
  readonly slots: readonly number[]
  readonly lengthM: number
}

const stocked = [1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500]

/** The shortest stocked cable length that suffices. */
function stockedLength(meters: number): number {
  return stocked.find((length) => length >= meters) ?? Math.ceil(meters / 100) * 100
}

function wayLength(points: readonly Point[]): number {
  let sum = 0
  for (let i = 1; i < points.length; i++) {
    const dx = points[i][0] - points[i - 1][0]
    const dy = points[i][1] - points[i - 1][1]
    const dz = points[i][2] - points[i - 1][2]
    sum += Math.sqrt(dx * dx + dy * dy + dz * dz)
  }
  return sum
}

/** Cable trays: one above each row of racks, and one across all rows of a zone. Numbered on first use. */
export class Trays {
  readonly #rows = new Map<number, number>()
  readonly #taken: number[] = []
  readonly #draft: TopologyDraft

  constructor(draft: TopologyDraft) {
    this.#draft = draft
  }

  #trayOf(zone: number, rowIndex: number): number {
    const key = zone * 1_000 + rowIndex
    let tray = this.#rows.get(key)
    if (tray === undefined) {
      tray = this.#taken.push(0) - 1
      this.#rows.set(key, tray)
    }
    return tray
  }

  #finish(points: readonly Point[], trays: readonly number[]): CableRoute {
    const slots = trays.map((tray) => this.#taken[tray]++ % slotsPerTray)
    return { points, trays, slots, lengthM: stockedLength(wayLength(points) + slackM) }
  }

  /** The route between two devices of a zone, through a panel if there is one. */
  between(from: Spot, to: Spot, panel: Spot | null): CableRoute {
    const a = pointOf(this.#draft, from)
    const b = pointOf(this.#draft, to)
    const last = panel === null ? [b] : [pointOf(this.#draft, panel), b]
    if (from.rack === to.rack) {
      const side = cm(a[0] - rackWidth / 2)
      return this.#finish([a, [side, a[1], a[2]], [side, b[1], last[0][2]], ...last], [])
    }
    const rows = [this.#draft.racks[from.rack].rowIndex, this.#draft.racks[to.rack].rowIndex]
    const up: Point = [a[0], a[1], rowTrayHeight]
    const down: Point = [b[0], b[1], rowTrayHeight]
    if (rows[0] === rows[1]) {
      return this.#finish([a, up, down, ...last], [this.#trayOf(from.zone, rows[0] + 1)])
    }
    const points = [a, up, ...this.#spine(a[1], b[1]), down, ...last]
    const trays = [rows[0], -1, rows[1]].map((row) => this.#trayOf(from.zone, row + 1))
    return this.#finish(points, trays)
  }

  /** The route from a device to the building entry of WAN lines. */
  toEntry(from: Spot): CableRoute {
    const a = pointOf(this.#draft, from)
    const points = [a, [a[0], a[1], rowTrayHeight], ...this.#spine(a[1], entry[1]).slice(0, 3), entry]
    const trays = [this.#draft.racks[from.rack].rowIndex, -1].map((row) => this.#trayOf(from.zone, row + 1))
    return this.#finish(points, trays)
  }

  #spine(fromY: number, toY: number): Point[] {
    return [
      [0, fromY, rowTrayHeight],
      [0, fromY, spineHeight],
      [0, toY, spineHeight],
      [0, toY, rowTrayHeight],
    ]
  }
}

/** Straight-line distance between two sites, in meters. */
export function siteDistance(draft: TopologyDraft, zone: number, other: number): number {
  const east = draft.zones[zone].east - draft.zones[other].east
  const north = draft.zones[zone].north - draft.zones[other].north
  return Math.sqrt(east * east + north * north)
}
