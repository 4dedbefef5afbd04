import type { Row } from '../harness/finding.ts'
import { fleetServices } from './fleet.ts'
import { growth } from './growth.ts'
import { prometheus } from './prometheus.ts'
import { start } from './start.ts'

/** The rows that start whole services or other programs. */
export const services: readonly Row[] = [start, ...fleetServices, growth, prometheus]
