/** The fee for a late part in dollars: 5 a day from the third day on. */
export function lateFee(days: number, isWaived: boolean): number {
  if (isWaived) return 0
  return days >= 3 ? 5 * days : 0
}
