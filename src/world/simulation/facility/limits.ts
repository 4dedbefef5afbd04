/** Air setpoint of a zone in cold weather, and its rise in hot weather. */
export const setpointCelsius = 21
export const setpointRise = 3

/** Host temperatures for high fan speed, throttling, and shutdown; a host starts again below the last. */
export const fansHighCelsius = 58
export const throttleCelsius = 70
export const shutdownCelsius = 78
export const restartCelsius = 40
/** Host temperature of the monitoring warning. */
export const hostWarningCelsius = throttleCelsius - 2

/** Inlet temperature of the monitoring warning. */
export const inletWarningCelsius = 32

/** Upper limit of the specified inlet temperature. */
export const inletSpecifiedCelsius = 27

/** Inlet temperature of a protective shutdown, independent of load, and the upper limit for a restart. */
export const inletShutdownCelsius = 45
export const inletRestartCelsius = 35

/** Capacity of a throttled host, as a share. */
export const throttledCapacityShare = 0.7
