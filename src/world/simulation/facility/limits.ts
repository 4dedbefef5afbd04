/** Temperature that the air of a zone is cooled to in cold weather, and the degrees by which it is warmer in heat. */
export const setpointCelsius = 21
export const setpointRise = 3

/** Temperatures of a host at which its fans run high, it throttles, and it shuts down; below the last it starts again. */
export const fansHighCelsius = 58
export const throttleCelsius = 70
export const shutdownCelsius = 78
export const restartCelsius = 40
/** Temperature of a host that monitoring warns of. */
export const hostWarningCelsius = throttleCelsius - 2

/** Inlet temperature up to which the cooling of a zone does its work: warmer air is what equipment is not specified for. */
export const inletSpecifiedCelsius = 27

/** Inlet temperature at which a host shuts down to protect itself however little it does, and below which it starts again. */
export const inletShutdownCelsius = 45
export const inletRestartCelsius = 35

/** Share of its work that a throttled host still does. */
export const throttledCpu = 0.7
