/** The floor as it is described to the one who draws it. */
import type { Theme } from '../palette.ts'
import type { DrawnState } from '../shapes.ts'
import type { MountedDevice } from './elevation.ts'
import type { FloorLayout, FloorPlan } from './floor-layout.ts'

/** An incident that is open at a place. */
export interface PlacedIncident {
  readonly text: string
  readonly severity: number
}

export interface FloorRack {
  readonly name: string
  /** Everything about it in a sentence. */
  readonly summary: string
  readonly href: string | null
  readonly condition: DrawnState | null
  readonly heightU: number
  readonly inletCelsius: number | null
  readonly powerShare: number | null
  readonly hosts: number
  readonly hostsOnline: number
  readonly incident: PlacedIncident | null
  /** Empty where the picture has no room for devices. */
  readonly devices: readonly MountedDevice[]
}

export interface PowerFeed {
  readonly name: string
  readonly isLive: boolean
  readonly share: number | null
}

export interface CoolingUnit {
  readonly name: string
  readonly condition: DrawnState
  readonly share: number | null
}

export interface FloorZone {
  readonly name: string
  readonly summary: string
  readonly href: string | null
  readonly condition: DrawnState | null
  /** Its problems in words; empty if there are none. */
  readonly trouble: string
  /** Hosts and customers in words. */
  readonly inhabitants: readonly string[]
  readonly facts: readonly string[]
  readonly wan: { readonly text: string; readonly share: number | null }
  readonly feeds: readonly PowerFeed[]
  readonly coolingUnits: readonly CoolingUnit[]
  readonly rows: readonly { readonly name: string; readonly racks: readonly FloorRack[] }[]
  readonly incidents: readonly PlacedIncident[]
  /** The severities of hosts that stand in no rack. */
  readonly loose: readonly (number | null)[]
}

export interface FloorSettings {
  readonly theme: Theme
  readonly layout: FloorLayout
  readonly title: string
  readonly description: string
  /** The time that is shown, in words. */
  readonly moment: string
  /** Whether each device leads to more about it. */
  readonly hasDeviceAreas: boolean
}

export const planOf = ({ rows, coolingUnits }: FloorZone): FloorPlan => ({
  rows: rows.map(({ racks }) => racks.length),
  coolingUnits: coolingUnits.length,
})
