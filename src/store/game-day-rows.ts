/** The rows of game days in the file of a session: what was broken in truth, what was done, and what a team said. */
import { constants } from 'node:sqlite'
import type { DatabaseSync } from 'node:sqlite'

export type GameDayTable = 'game_day_log' | 'answer' | 'fault'

const orders: Readonly<Record<GameDayTable, string>> = {
  game_day_log: 'id',
  answer: 'id',
  fault: 'world, number',
}

export const addRow = (database: DatabaseSync, table: 'game_day_log' | 'answer', row: object): void =>
  void database.prepare(`INSERT INTO ${table} (json) VALUES (?)`).run(JSON.stringify(row))

/** The rows of a table, as they were added: only this program writes them. */
export const gameDayRows = (database: DatabaseSync, table: GameDayTable): unknown[] =>
  database
    .prepare(`SELECT json FROM ${table} ORDER BY ${orders[table]}`)
    .all()
    .map(({ json }): unknown => JSON.parse(String(json)))

/** Sets what is known of a fault. A world that repeats its steps after a restart changes none that is over. */
export const setFault = (
  database: DatabaseSync,
  { world, fault, isOver }: { readonly world: string; readonly fault: number; readonly isOver: boolean },
  line: object,
): void =>
  void database
    .prepare(
      `INSERT INTO fault VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET is_over = excluded.is_over, json = excluded.json WHERE NOT is_over`,
    )
    .run(world, fault, Number(isOver), JSON.stringify(line))

/** The views `truth` and `answers` read these tables. */
const secrets: ReadonlySet<string | null> = new Set(Object.keys(orders))

/** No statement of a connection can read these rows from now on. */
export const hideGameDays = (database: DatabaseSync): void =>
  database.setAuthorizer((action, table) =>
    action === constants.SQLITE_READ && secrets.has(table) ? constants.SQLITE_DENY : constants.SQLITE_OK,
  )
