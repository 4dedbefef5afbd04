/** The result of checking one rule for messages, with its violations. */
export interface Finding {
  readonly says: string
  readonly found: string
  readonly isMet: boolean
  readonly offenders: readonly string[]
}

export const finding = (
  says: string,
  total: number,
  offenders: readonly string[],
  what: string,
): Finding => ({
  says,
  found: `${total - offenders.length} of ${total} ${what}`,
  isMet: offenders.length === 0,
  offenders,
})
