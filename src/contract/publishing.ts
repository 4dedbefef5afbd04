/** Wall time between publishes while clients read. */
export const defaultCadenceMs = 1_000

/** Wall time without a request after which publishing pauses. */
export const defaultIdleMs = 60_000
