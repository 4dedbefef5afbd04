/** Errors of SQLite: what they mean here, and how to say it. */

/** Primary codes of SQLite. */
const codes = {
  error: 1,
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  tooBig: 18,
  constraint: 19,
  notDatabase: 26,
}

/** The primary code of an error; 0 for an error that is not one of SQLite. */
const sqliteCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0

export const isSqliteError = (error: unknown): boolean => sqliteCode(error) !== 0
export const isBusy = (error: unknown): boolean => sqliteCode(error) === codes.busy

const damageCodes: ReadonlySet<number> = new Set([codes.corrupt, codes.tooBig, codes.notDatabase])

/** The content of the file cannot be read, or its schema is another one than it was made with. */
export const isDamage = (error: unknown): boolean =>
  damageCodes.has(sqliteCode(error)) ||
  (sqliteCode(error) === codes.error && /fts5|no such|malformed/.test((error as Error).message))

export const isConstraint = (error: unknown): boolean => sqliteCode(error) === codes.constraint

const reasons: Readonly<Record<number, string>> = {
  [codes.busy]: 'another process has it open',
  [codes.readOnly]: 'it cannot be written',
  [codes.ioError]: 'the disk has an error',
  [codes.full]: 'the disk is full',
  [codes.cannotOpen]: 'it cannot be opened',
}

/** A damaged schema is quoted whole by SQLite. */
const textLengthMax = 300

export const sqliteErrorText = (error: unknown): string =>
  reasons[sqliteCode(error)] ??
  (error instanceof Error ? error.message : String(error))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{C}\uFFFD]/gu, '?')
    .slice(0, textLengthMax)
