import { matchesVariable } from '../../queries/series.ts'

/** The selected zones and pools. */
export const selectedZone = { az: matchesVariable('zone') }
export const pool = { pool: matchesVariable('pool') }
export const place = { ...selectedZone, ...pool }
