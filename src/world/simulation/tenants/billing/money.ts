/** Dollars since the world began, and per hour over the last minute. */
export type Money = ReturnType<typeof createMoney>

export const createMoney = () => ({
  revenue: 0,
  directCost: 0,
  facilityCost: 0,
  transitCost: 0,
  addonCost: 0,
  credits: 0,
  bonuses: 0,
  evictionFees: 0,
  revenuePerHour: 0,
  costPerHour: 0,
})
