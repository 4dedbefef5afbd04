/** Dollars since the world began, and per hour over the last minute. */
export interface Money {
  revenue: number
  directCost: number
  facilityCost: number
  transitCost: number
  addonCost: number
  credits: number
  bonuses: number
  evictionFees: number
  revenuePerHour: number
  costPerHour: number
}

export const createMoney = (): Money => ({
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
