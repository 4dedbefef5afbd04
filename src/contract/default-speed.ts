/**
 * Simulated seconds per wall second where no other is asked for: an hour of the world is five minutes, so that half of the
 * grave incidents of the default world last for three minutes and more (docs/measured/pace.md).
 */
export const defaultSpeed = 12
