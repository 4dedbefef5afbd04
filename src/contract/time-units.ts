export const nsPerSecond = 1_000_000_000n
export const nsPerDay = 86_400n * nsPerSecond
