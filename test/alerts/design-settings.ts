import { defaultSettings, designSpeed } from '../../alerts/settings.ts'

/** Rules with the times as they are written: a wall minute is a simulated hour. */
export const designSettings = { ...defaultSettings, speed: designSpeed }
