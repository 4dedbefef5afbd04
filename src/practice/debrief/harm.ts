/** The trouble of customers in a world, and in its twin in which nothing was done about it. */

/** A sample a minute, from the beginning of the session. */
export interface HarmSample {
  readonly customers: number
  readonly dollarsPerHour: number
}

export interface TwinHarm {
  readonly acted: readonly HarmSample[]
  readonly idle: readonly HarmSample[]
  /** Whether the world that was run again had the faults of the truth. */
  readonly isExact: boolean
}

export const harmTotal = (samples: readonly HarmSample[]) => ({
  dollars: sum(samples, ({ dollarsPerHour }) => dollarsPerHour / 60),
  customerMinutes: sum(samples, ({ customers }) => customers),
})

const sum = (samples: readonly HarmSample[], valueOf: (sample: HarmSample) => number): number =>
  samples.reduce((total, sample) => total + valueOf(sample), 0)
