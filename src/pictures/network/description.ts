/** The network as it is described to the one who draws it. */
import type { Theme } from '../palette.ts'
import type { DrawnState } from '../shapes.ts'
import type { Size } from '../svg.ts'

/** From outside to inside; each zone has those of its devices. */
export const tierNames = [
  'upstreams',
  'gateways',
  'inspection',
  'core',
  'aggregation',
  'edge',
  'racks',
] as const

/** Hostile traffic at a line of defense, as shares of all that reaches it. */
interface Defense {
  readonly stopped: number
  readonly passed: number
}

export interface NetworkNode {
  readonly key: string
  readonly name: string
  readonly kind: string
  /** The index of its tier. */
  readonly tier: number
  /** The row of racks, by which nodes are merged where there are many. */
  readonly row: string
  readonly state: DrawnState | null
  readonly share: number | null
  readonly summary: string
  readonly href: string | null
  /** Null where no hostile traffic arrives. */
  readonly defense: Defense | null
  /** The hosts of a rack, where the picture shows them. */
  readonly hosts: readonly NetworkHost[]
}

export interface NetworkHost {
  readonly name: string
  readonly state: DrawnState | null
  readonly share: number | null
  readonly summary: string
  readonly href: string | null
  /** The severity of each of its links. */
  readonly links: readonly number[]
}

/** All cables between two nodes. */
export interface NetworkLink {
  /** The end nearer to upstream. */
  readonly from: string
  readonly to: string
  readonly cables: number
  /** Not a number where an upstream left it out, as traffic is. */
  readonly capacityGbps: number
  /** Traffic away from upstream, and towards it. */
  readonly inGbps: number
  readonly outGbps: number
  readonly severity: number
  /** Cables without a link. */
  readonly down: number
  readonly isHostile: boolean
  /** Whether the gateway at its end announces no routes, so that no one sends over it. */
  readonly isWithdrawn: boolean
}

export interface NetworkZone {
  readonly name: string
  readonly summary: string
  readonly href: string | null
  readonly state: DrawnState | null
  readonly trouble: string
  readonly nodes: readonly NetworkNode[]
}

export interface NetworkSettings {
  /** The size that it fills; null for the one that suits it. */
  readonly size: Size | null
  readonly theme: Theme
  readonly title: string
  readonly description: string
  readonly hasTitles: boolean
  /** The time that is shown, in words. */
  readonly moment: string
}
