import { matchesVariable } from '../../queries/series.ts'

/** Zones and pools that are chosen. */
export const zone = { az: matchesVariable('zone') }
export const pool = { pool: matchesVariable('pool') }
export const place = { ...zone, ...pool }
