/** The size of a world, available without loading the simulation. */
import type { ScaleName } from './simulation/topology/sizing.ts'
import { sizingFor } from './simulation/topology/sizing.ts'

export type { ScaleName } from './simulation/topology/sizing.ts'

export const hostCountOf = (scale: number | ScaleName): number => sizingFor(scale).hosts
