import type { Contract } from '../contract.ts'

/** A lasting trait of a customer, which its decisions and texts show. */
interface Character {
  /** As in "It ...". */
  readonly says: string
  /** Factors: on what failures and prices cost its satisfaction, on its growth, and on how long it stays. */
  readonly temper: number
  readonly priceSense: number
  readonly growth: number
  readonly loyalty: number
}

const usual = { temper: 1, priceSense: 1, growth: 1, loyalty: 1 }

const characters: readonly Character[] = [
  { ...usual, says: 'counts every dollar', priceSense: 1.8 },
  { ...usual, says: 'expects an answer within the hour', temper: 1.3 },
  { ...usual, says: 'takes an outage in its stride', temper: 0.75 },
  { ...usual, says: 'plans to grow fast', growth: 1.6 },
  { ...usual, says: 'rarely changes its providers', loyalty: 3 },
]

/** The character of a customer follows from its name. */
export function traitsOf({ name }: Pick<Contract, 'name'>): Character {
  let sum = 0
  for (let at = 0; at < name.length; at++) sum = (sum * 31 + name.charCodeAt(at)) % 1_000_003
  return characters[sum % characters.length]
}
