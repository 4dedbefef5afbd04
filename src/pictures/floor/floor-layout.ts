/** Where rooms and racks stand in the picture of the floor, and how much of them can be shown. */
import type { Size } from '../svg.ts'

/** The size of a zone: the racks of each row. */
export interface FloorPlan {
  readonly rows: readonly number[]
  readonly coolingUnits: number
}

/** The smallest shape that is drawn. */
type FloorDetail = 'units' | 'racks' | 'rows' | 'zones'

export interface FloorLayout {
  readonly detail: FloorDetail
  /** Whether it has the size that was asked for. */
  readonly isFilled: boolean
  readonly columns: number
  readonly width: number
  readonly height: number
  readonly roomWidth: number
  readonly roomHeight: number
  /** Above and below the racks of a room. */
  readonly margins: readonly [header: number, footer: number]
  /** Whether rooms say more than their names and their states. */
  readonly isCompact: boolean
  /** Racks in a line at most. */
  readonly lineMax: number
  readonly slotWidth: number
  readonly rackWidth: number
  readonly rackHeight: number
  /** Whether every rack has its name above it, and a line of text below. */
  readonly hasLabels: boolean
  /** The room to the left of the lines for the names of their rows; 0 where racks have theirs, or rows theirs below. */
  readonly gutter: number
  readonly hasNamesBelow: boolean
  readonly lineHeight: number
}

const pictureWidth = 1100
export const roomGap = 12
export const roomPadding = 14
const margins = [66, 26] as const
/** A lower room has only its name and its state around its racks. */
const compactHeight = 150
const compactMargins = [28, 6] as const
export const legendHeight = 30
export const wallWidth = 50
/** A narrower room has no cooling units along its wall: one that stops is among its problems. */
export const walledWidthMin = 200
export const aisle = 12
const labelHeight = 16
const captionHeight = 22
/** Without names: the power line and a margin. */
const bareHeight = 8
const rowNameHeight = 14
const gutterWidth = 22
const labelWidthMin = 40
const roomWidthMin = 320
/** Wider racks would only be emptier. */
const slotWidthMax = 92
const unitsPerRackUsual = 42
/** A unit needs two pixels to be seen, and no more hosts than this have room for themselves. */
const unitHeightMin = 1.9
const unitHostsMax = 2_600
const rackSizeMin = 5
const roomAreaMin = 16_000
const compactRackMin = 24
const columnsMax = 40
/** Rooms that do not fit into the height are tiles instead. */
const heightSlack = 1.15

/** A line of racks in a room: parts of rows, with an aisle between two rows. */
interface RackLine {
  /** Row by row: which racks of it. */
  readonly parts: readonly { readonly row: number; readonly from: number; readonly to: number }[]
}

/** All rows in one line if they fit, otherwise each row in lines of its own. */
export function linesOf({ rows }: FloorPlan, lineMax: number): readonly RackLine[] {
  const total = rows.reduce((sum, count) => sum + count, 0)
  if (total <= lineMax) return total === 0 ? [] : [{ parts: rows.map((to, row) => ({ row, from: 0, to })) }]
  const lines: RackLine[] = []
  for (const [row, count] of rows.entries())
    for (let from = 0; from < count; from += lineMax)
      lines.push({ parts: [{ row, from, to: Math.min(count, from + lineMax) }] })
  return lines
}

/** The size that a picture aims at, and whether it fills that. */
interface Aim extends Size {
  readonly isFilled: boolean
}

function candidate(
  plans: readonly FloorPlan[],
  columns: number,
  lineMax: number,
  { width, height, isFilled }: Aim,
): FloorLayout {
  const roomRows = Math.ceil(plans.length / columns)
  const widest = (width - (columns - 1) * roomGap) / columns
  const hasWall = widest >= walledWidthMin && plans.some(({ coolingUnits }) => coolingUnits > 0)
  const perPlan = plans.map((plan) => linesOf(plan, lineMax))
  const lines = Math.max(1, ...perPlan.map(({ length }) => length))
  const isOneLine = lines === 1
  const aisles = isOneLine ? Math.max(0, ...plans.map(({ rows }) => rows.length - 1)) * aisle : 0
  const around = 2 * roomPadding + (hasWall ? wallWidth : 0)
  const free = (gutter: number) => (widest - around - aisles - gutter) / lineMax
  const hasLabels = free(isOneLine ? 0 : gutterWidth) >= labelWidthMin
  const gutter = isOneLine ? 0 : gutterWidth
  const hasNamesBelow = isOneLine && !hasLabels
  const slotWidth = Math.max(1, Math.min(isFilled ? Infinity : slotWidthMax, free(gutter)))
  const narrowest = Math.max(roomWidthMin, slotWidth * lineMax + around + aisles + gutter)
  const roomWidth = isFilled ? widest : Math.min(widest, narrowest)
  const roomSpace = (height - legendHeight - (roomRows - 1) * roomGap) / roomRows
  const isCompact = isFilled && roomSpace < compactHeight
  const [header, footer] = isCompact ? compactMargins : margins
  const around2 = header + footer
  const textHeight = hasLabels
    ? labelHeight + captionHeight
    : bareHeight + (hasNamesBelow ? rowNameHeight : 0)
  const lineHeight = Math.max(textHeight + 1, (roomSpace - around2) / lines)
  const rackHeight = lineHeight - textHeight
  const rackWidth = slotWidth - Math.max(1.2, Math.min(6, slotWidth * 0.12))
  return {
    detail: 'racks',
    isFilled,
    columns,
    width: columns * roomWidth + (columns - 1) * roomGap,
    height:
      roomRows * (around2 + lines * (rackHeight + textHeight)) + (roomRows - 1) * roomGap + legendHeight,
    roomWidth,
    roomHeight: around2 + lines * (rackHeight + textHeight),
    margins: [header, footer],
    isCompact,
    lineMax,
    slotWidth,
    rackWidth,
    rackHeight,
    hasLabels,
    gutter,
    hasNamesBelow,
    lineHeight: rackHeight + textHeight,
  }
}

/** A rack is read best when it is large, and not narrower than this of its height. */
const rackAspectMin = 0.15

const legibility = ({ rackWidth, rackHeight }: FloorLayout): number =>
  rackWidth * rackHeight * Math.min(1, rackWidth / rackHeight / rackAspectMin)

/** A compact room, which has neither feeds nor WAN, is better only than tiles, however large its racks are. */
const isBetter = (one: FloorLayout, other: FloorLayout): boolean =>
  one.isCompact === other.isCompact ? legibility(one) > legibility(other) * 1.001 : other.isCompact

/** Higher where there is more to show. */
const heightFor = (racks: number, zones: number): number => {
  if (racks <= 40 && zones <= 3) return 430
  return Math.min(760, 470 + racks * 0.35)
}

/** More racks than these are marks. */
const racksMax = 4_000

function detailOf(layout: FloorLayout, hosts: number, racks: number): FloorDetail {
  const { rackWidth, rackHeight, roomWidth, roomHeight, isCompact } = layout
  const isLarge = roomWidth >= 150 && roomHeight >= 110 && roomWidth * roomHeight >= roomAreaMin
  if (!(isCompact ? roomWidth >= 150 && rackHeight >= compactRackMin : isLarge)) return 'zones'
  if (rackWidth < rackSizeMin || rackHeight < rackSizeMin || racks > racksMax) return 'rows'
  return rackHeight / unitsPerRackUsual >= unitHeightMin && hosts <= unitHostsMax ? 'units' : 'racks'
}

/** The layout in which racks are read best; in a size that is given, it fills that. */
export function floorLayout(plans: readonly FloorPlan[], hosts: number, size: Size | null): FloorLayout {
  const totals = plans.map(({ rows }) => rows.reduce((one, other) => one + other, 0))
  const racks = totals.reduce((sum, total) => sum + total, 0)
  const longest = Math.max(1, ...totals)
  const usual = { width: pictureWidth, height: heightFor(racks, plans.length) }
  const aim = { ...(size ?? usual), isFilled: size !== null }
  const heightMax = aim.height * (aim.isFilled ? 1 : heightSlack) + 0.1
  const usualLines = [4, 6, 8, 10, 12, 16, 20, 24, 30, 40, 60]
  const lineMaxes = new Set([longest, ...plans.flatMap(({ rows }) => rows), ...usualLines])
  let best: FloorLayout | null = null
  for (let columns = 1; columns <= Math.min(Math.max(1, plans.length), columnsMax); columns++) {
    // An emptier last row of rooms is accepted only where every other number is worse.
    for (const lineMax of lineMaxes) {
      if (lineMax < 1 || lineMax > longest) continue
      const next = candidate(plans, columns, lineMax, aim)
      const detail = next.height > heightMax ? 'zones' : detailOf(next, hosts, racks)
      if (detail === 'zones') continue
      if (best === null || isBetter(next, best)) best = { ...next, detail }
    }
  }
  return best ?? { ...candidate(plans, 1, 1, aim), ...aim, detail: 'zones' }
}
