/** The network: zones side by side, tiers from upstream to racks, nodes as cards, links as curves. */
import { drawSheet, noZones } from '../legend.ts'
import { palette, severityFills } from '../palette.ts'
import type { Theme } from '../palette.ts'
import { drawnSeverity, glyph, percentText, pips, shareOf, stateColor } from '../shapes.ts'
import { boxPath, group, line, path, rect, linked } from '../svg.ts'
import type { Box } from '../svg.ts'
import { textWidth } from '../text-width.ts'
import { hostHeight, networkLayout, worstNode } from './cards.ts'
import type { Card, NetworkLayout, ZoneColumn } from './cards.ts'
import { tierNames } from './description.ts'
import type { NetworkHost, NetworkLink, NetworkNode, NetworkSettings, NetworkZone } from './description.ts'
import { drawLinks } from './links.ts'
import type { DrawnLink } from './links.ts'

const { gray, sky, green } = palette
const tierColors = [gray, sky, sky, sky, sky, sky, green] as const

const barTrack = '#2b3642'

function loadBar({ x, y, width, height }: Box, share: number | null, fill: string): string {
  const box = { x: x + 5, y: y + height - 8, width: width - 10, height: 4 }
  if (share === null)
    return path(boxPath(box), {
      fill: 'none',
      stroke: palette.gray,
      'stroke-width': 0.7,
      'stroke-dasharray': '2 2',
    })
  return (
    path(boxPath(box), { fill: barTrack }) + path(boxPath({ ...box, width: box.width * share }), { fill })
  )
}

/** Hostile traffic at a device: stopped, and let through. */
function defenseBar({ x, y, width }: Box, { defense }: NetworkNode): string {
  if (defense === null) return ''
  const all = width - 4
  const stopped = all * (shareOf(defense.stopped) ?? 0)
  const passed = all * (shareOf(defense.passed) ?? 0)
  const box = { x: x + 2, y: y + 1.5, width: stopped, height: 3 }
  return (
    path(boxPath(box), { fill: palette.purple }) +
    path(boxPath({ ...box, x: box.x + stopped, width: passed }), { fill: severityFills[4] })
  )
}

/** Whether a card has room for two lines, or a line and its bar. */
const isTall = ({ height }: Box): boolean => height >= 36

/** A name in one line, or in two where only its parts fit; or its first word. */
function nameLines(
  whole: string,
  box: Box,
  ink: string,
  bold: boolean,
): { readonly content: string; readonly lines: number } {
  const middle = box.x + box.width / 2
  const space = box.width - 6
  const name = textWidth(whole, 11, bold) <= space ? whole : whole.split(' ')[0]
  const cut = name.lastIndexOf('-')
  const isWhole = textWidth(name, 11, bold) <= space || cut < 1
  const ends = [name.slice(0, cut), name.slice(cut + 1)]
  const parts = isWhole ? [name] : ends.slice(isTall(box) ? 0 : 1)
  const style = {
    anchor: 'middle',
    fill: ink,
    width: space,
    bold: bold && parts.every((part) => textWidth(part, 11, true) <= space),
  } as const
  const top = box.y + (parts.length === 1 ? 16 : 14)
  const content = parts.map((part, index) => line(middle, top + 12 * index, part, style)).join('')
  return { content, lines: parts.length }
}

function nodeCard(node: NetworkNode, box: Box, theme: Theme): string {
  const { state } = node
  const severity = drawnSeverity(state)
  const isTroubled = severity >= 2
  const color = isTroubled ? severityFills[severity] : tierColors[node.tier]
  const name = nameLines(node.name, box, theme.cabinetInk, isTroubled)
  const words = state?.state ?? 'unknown'
  const wordWidth = textWidth(words, 11)
  const middle = box.x + box.width / 2
  const isSaid = isTroubled && isTall(box) && name.lines === 1 && wordWidth <= box.width - 18
  const second = isSaid
    ? line(middle + 5, box.y + 31, words, { anchor: 'middle', fill: color }) +
      glyph(severity, middle - wordWidth / 2 - 3, box.y + 27, 7, color)
    : loadBar(box, node.share, color) +
      (isTroubled ? glyph(severity, box.x + box.width - 3, box.y + 3, 9, color) : '')
  return (
    rect(box, {
      rx: 4,
      fill: theme.cabinet,
      stroke: isTroubled ? color : theme.cabinetLine,
      'stroke-width': isTroubled ? 1.8 : null,
      'stroke-dasharray': state === null ? '3 2' : null,
    }) +
    name.content +
    second +
    defenseBar(box, node)
  )
}

/** Many nodes as one card with a mark for each. */
function mergedCard(card: Card, theme: Theme): string {
  const { box, nodes, row } = card
  const severities = nodes.map(({ state }) => (state === null ? null : drawnSeverity(state)))
  const troubled = severities.filter((severity) => (severity ?? 0) >= 2).length
  const severity = drawnSeverity(worstNode(card).state)
  const colors = [tierColors[card.tier], tierColors[card.tier], ...severityFills.slice(2)]
  const name = [row === '' ? '' : `Row ${row}`, `${nodes.length}`].filter(Boolean).join(': ')
  const text = troubled === 0 ? name : `${name}, ${troubled} in trouble`
  const shown =
    textWidth(text, 11) <= box.width - 8
      ? text
      : troubled === 0
        ? `${nodes.length}`
        : `${troubled} of ${nodes.length}`
  const height = isTall(box) ? 11 : 4
  const marks = { x: box.x + 6, y: box.y + box.height - height - 6, width: box.width - 12, height }
  return (
    rect(
      { ...box, x: box.x + 3, y: box.y - 3 },
      { rx: 4, fill: theme.cabinet, stroke: theme.cabinetLine, opacity: 0.6 },
    ) +
    rect(box, {
      rx: 4,
      fill: theme.cabinet,
      stroke: severity >= 2 ? severityFills[severity] : theme.cabinetLine,
      'stroke-width': severity >= 2 ? 1.8 : null,
    }) +
    line(box.x + box.width / 2, box.y + 15, shown, {
      anchor: 'middle',
      fill: theme.cabinetInk,
      width: box.width - 6,
    }) +
    pips(marks.x, marks.y, marks.width, marks.height, severities, colors)
  )
}

const hostNameWidth = 62

/** A host below the card of its rack: its name, its load, and its links as dots on both sides. */
function hostRow(host: NetworkHost, row: Box, theme: Theme): string {
  const { name, state, share, summary, href, links } = host
  const severity = drawnSeverity(state)
  const color = severity >= 2 ? severityFills[severity] : palette.green
  const isDown = severity >= 4
  const isNamed = row.width >= hostNameWidth + 30
  const left = isNamed ? hostNameWidth : 4
  const bar = { x: row.x + left, y: row.y + 4, width: row.width - left - 4, height: row.height - 8 }
  const dots = links.slice(0, 2).map((grave, side) => {
    const x = side === 0 ? row.x - 6 : row.x + row.width + 6
    return glyph(grave >= 3 ? 4 : 1, x, row.y + row.height / 2, 6, grave >= 3 ? severityFills[4] : theme.soft)
  })
  const bars =
    path(boxPath(bar), isDown ? { fill: 'url(#down)' } : { fill: color, opacity: 0.3 }) +
    (share === null || isDown ? '' : path(boxPath({ ...bar, width: bar.width * share }), { fill: color }))
  const ink = severity >= 2 ? color : theme.cabinetInk
  return linked(
    summary,
    href,
    path(boxPath(row), { fill: theme.cabinet, stroke: severity >= 2 ? color : null }) +
      (isNamed ? line(row.x + 5, row.y + 11, name, { fill: ink, width: hostNameWidth - 8 }) : '') +
      bars +
      dots.join(''),
  )
}

const hostList = (hosts: readonly NetworkHost[], { x, y, width, height }: Box, theme: Theme): string =>
  hosts
    .map((host, index) => {
      const row = {
        x: x + 8,
        y: y + height + 8 + index * hostHeight,
        width: width - 16,
        height: hostHeight - 2,
      }
      return hostRow(host, row, theme)
    })
    .join('')

function drawCard(card: Card, theme: Theme): string {
  const [first] = card.nodes
  if (card.nodes.length > 1) {
    const summaries = card.nodes.length <= 60 ? worstNode(card).summary : ''
    return linked(
      summaries === '' ? '' : `${card.nodes.length} × ${first.kind}; the worst: ${summaries}`,
      null,
      mergedCard(card, theme),
    )
  }
  return (
    linked(first.summary, first.href, nodeCard(first, card.box, theme)) +
    hostList(first.hosts, card.box, theme)
  )
}

function drawHeader({ zone, box }: ZoneColumn, theme: Theme): string {
  const severity = drawnSeverity(zone.state)
  const color = stateColor(zone.state, theme)
  const word = zone.state?.state ?? 'unknown'
  const isRoomy = box.width >= 150
  const size = isRoomy ? 14 : 11
  const fullWidth = textWidth(word, 12, true)
  const isSaid = isRoomy && textWidth(zone.name, size, true) + fullWidth + 44 <= box.width
  const wordWidth = isSaid ? fullWidth : 0
  const frame = severity >= 2 ? severityFills[severity] : theme.line
  const ground = rect(
    { x: box.x + 1, y: 1, width: box.width - 2, height: box.height - 2 },
    { rx: 8, fill: theme.room, stroke: frame, 'stroke-width': severity >= 2 ? 1.8 : 1 },
  )
  return linked(
    zone.summary,
    zone.href,
    ground +
      line(box.x + 8, 21, zone.name, {
        size,
        bold: true,
        fill: theme.ink,
        width: box.width - wordWidth - 26,
      }) +
      glyph(severity, box.x + box.width - (isSaid ? wordWidth + 18 : 10), 17, 8, color) +
      (isSaid
        ? line(box.x + box.width - 11, 21, word, {
            size: 12,
            bold: true,
            anchor: 'end',
            fill: color,
            width: wordWidth + 1,
          })
        : '') +
      line(box.x + 8, 38, zone.trouble, {
        fill: theme.states[Math.max(2, severity)],
        bold: true,
        width: box.width - 16,
      }),
  )
}

const tierLabels = ({ tierTops, cardHeight, gutter }: NetworkLayout, theme: Theme): string =>
  tierTops
    .map((top, tier) =>
      top === null
        ? ''
        : line(4, top + cardHeight / 2 + 4, tierNames[tier], { fill: theme.soft, width: gutter - 6 }),
    )
    .join('')

/** Links between the same two cards, as one. */
function mergedLinks(
  links: readonly NetworkLink[],
  cardOf: ReadonlyMap<string, Card>,
): Map<string, { from: Card; to: Card; links: NetworkLink[] }> {
  const merged = new Map<string, { from: Card; to: Card; links: NetworkLink[] }>()
  const numbers = new Map([...new Set(cardOf.values())].map((card, index) => [card, index]))
  for (const link of links) {
    const [from, to] = [cardOf.get(link.from), cardOf.get(link.to)]
    if (from === undefined || to === undefined || from === to) continue
    const key = `${numbers.get(from)} ${numbers.get(to)}`
    const known = merged.get(key)
    if (known === undefined) merged.set(key, { from, to, links: [link] })
    else known.links.push(link)
  }
  return merged
}

const sum = (links: readonly NetworkLink[], read: (link: NetworkLink) => number): number =>
  links.reduce((total, link) => total + read(link), 0)

function drawnLink(
  from: Card,
  to: Card,
  links: readonly NetworkLink[],
  way: DrawnLink['way'],
  railBelow: number,
): DrawnLink {
  const down = sum(links, (link) => link.down)
  const cables = sum(links, ({ cables: own }) => own)
  const capacityGbps = sum(links, (link) => link.capacityGbps)
  const inGbps = sum(links, (link) => link.inGbps)
  const outGbps = sum(links, (link) => link.outGbps)
  const worst = Math.max(...links.map(({ severity }) => severity))
  const share = capacityGbps > 0 ? Math.max(inGbps, outGbps) / capacityGbps : null
  const names = [from, to].map(({ nodes }) =>
    nodes.length === 1 ? nodes[0].name : `${nodes.length} × ${nodes[0].kind}`,
  )
  const isWithdrawn = links.every((link) => link.isWithdrawn)
  const state =
    (down > 0 ? ` · ${down} of ${cables} down` : '') + (isWithdrawn ? ' · routes not announced' : '')
  return {
    ...links[0],
    cables,
    down,
    capacityGbps,
    inGbps,
    outGbps,
    // A part of several is no more than serious.
    severity: worst >= 4 && down < cables ? 3 : worst,
    isHostile: links.some(({ isHostile }) => isHostile),
    isWithdrawn,
    fromBox: from.box,
    toBox: to.box,
    way,
    railBelow,
    summary: `${names.join(' – ')}${state} · ${percentText(shareOf(share))}`,
  }
}

const railFirst = 12
const railStep = 6
const railsMax = 4

function routed(links: readonly NetworkLink[], { columns }: NetworkLayout): readonly DrawnLink[] {
  const cardOf = new Map<string, Card>()
  const columnOf = new Map<Card, number>()
  for (const [index, { cards }] of columns.entries())
    for (const card of cards) {
      columnOf.set(card, index)
      for (const { key } of card.nodes) cardOf.set(key, card)
    }
  const drawn: DrawnLink[] = []
  const rails = new Map<string, { from: Card; to: Card; links: NetworkLink[] }>()
  for (const { from, to, links: some } of mergedLinks(links, cardOf).values()) {
    const [left, right] = [columnOf.get(from)!, columnOf.get(to)!]
    if (left === right) drawn.push(drawnLink(from, to, some, from.tier === to.tier ? 'beside' : 'down', 0))
    else {
      const key = left < right ? `${left} ${right}` : `${right} ${left}`
      const known = rails.get(key)
      // One rail for two zones: from the right card of the left one to the left card of the right one.
      const [one, other] = left < right ? [from, to] : [to, from]
      if (known === undefined) rails.set(key, { from: one, to: other, links: [...some] })
      else {
        known.links.push(...some)
        if (one.box.x > known.from.box.x) known.from = one
        if (other.box.x < known.to.box.x) known.to = other
      }
    }
  }
  for (const [index, { from, to, links: some }] of [...rails.values()].entries())
    drawn.push(drawnLink(from, to, some, 'rail', railFirst + (index % railsMax) * railStep))
  return drawn
}

/** The picture, zone by zone. */
export function drawNetwork(
  zones: readonly NetworkZone[],
  links: readonly NetworkLink[],
  settings: NetworkSettings,
): string {
  const { theme, title, description, hasTitles, moment } = settings
  const layout = networkLayout(zones, settings.size)
  const { width, height, columns } = layout
  const grounds = columns.map((column) => drawHeader(column, theme))
  const curves = drawLinks(routed(links, layout), hasTitles, theme)
  const cards = columns.flatMap((column) => column.cards.map((card) => drawCard(card, theme)))
  const ground = group({}, grounds.join('') + tierLabels(layout, theme))
  const content = noZones(zones, theme) + ground + curves + cards.join('')
  return drawSheet('network', { width, height, title, description, moment, content }, theme)
}
