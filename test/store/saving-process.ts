/**
 * Saves a world, notes publishes and actions, and tells the archive in one file, and prints what is done: `p 17` for a
 * publish, `a 17` for an action, `s 17` for a save, `e 17` for an event. It may be killed at the end of a transaction.
 */
import { writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { openSession } from '../../src/store/session-file.ts'
import { WorldLog } from '../../src/store/world-log.ts'
import { saveState } from '../../src/store/world-state.ts'
import { ArchiveHere, eventAt, FeedSource } from '../archive/archived-world.ts'
import { actionEvery, headOfSave, sectionsOfSave, worldId } from './saved-by-process.ts'

const [, , path, from, transactions] = process.argv
const eventsWindow = 120

// oxlint-disable-next-line typescript/unbound-method -- It is called with its database.
const execute = DatabaseSync.prototype.exec
const archive = new ArchiveHere(path)
for (const note of archive.notes()) writeSync(1, `note ${note}\n`)
const database = openSession(path)
const log = new WorldLog(database, worldId)
const source = new FeedSource(worldId)
const done = (text: string): void => void writeSync(1, `${text}\n`)

let transactionsLeft = Number(transactions)
DatabaseSync.prototype.exec = function (sql) {
  // Pages of a transaction reach the file before its end.
  if (sql.startsWith('BEGIN')) execute.call(this, 'PRAGMA cache_size = 1')
  if (sql === 'COMMIT' && --transactionsLeft === 0) process.kill(process.pid, 'SIGKILL')
  execute.call(this, sql)
}

let saving = false
async function save(seq: number): Promise<void> {
  saving = true
  await saveState(database, headOfSave(seq), sectionsOfSave(seq))
  done(`s ${seq}`)
  saving = false
}

for (let seq = Number(from); ; seq++) {
  log.published({ publishSeq: seq, simTimeNs: BigInt(seq) })
  done(`p ${seq}`)
  if (seq % actionEvery === 0) {
    log.took({ taken: seq, at: seq, label: `line ${seq}`, text: '{}' })
    done(`a ${seq}`)
  }
  if (!saving) void save(seq)
  const first = Math.max(0, seq - eventsWindow)
  const events = Array.from({ length: seq - first + 1 }, (_, index) => eventAt(first + index))
  archive.tell(source.at(seq, { events }))
  done(`e ${seq}`)
  await setImmediate()
}
