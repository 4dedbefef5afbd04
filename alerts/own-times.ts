/** The times of what an alert is about, where these are not those of the alert. */
export interface OwnTimes {
  /** When it began: `14:02:10`. */
  readonly since: string
  /** `3m 20s, from 14:02:10 to 14:05:30 UTC`, as far as it was seen. */
  readonly lasted: string
}
