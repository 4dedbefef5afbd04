/**
 * Why no table is made: too much is asked of the thread or for one answer, the thread has stopped, the archive cannot be
 * read or there is none, or no world in it had the session.
 */
export type RefusalReason = 'busy' | 'large' | 'stopped' | 'archive' | 'session'

/** A table or a picture that is not made. */
export class TableRefused extends Error {
  override readonly name = 'TableRefused'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}
