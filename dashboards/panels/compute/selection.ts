import { matchesVariable } from '../../queries/series.ts'

/** Zones and pools that are chosen. */
export const selectedZone = { az: matchesVariable('zone') }
export const pool = { pool: matchesVariable('pool') }
export const place = { ...selectedZone, ...pool }
