/** Tells an archive of one event after the other, and prints the minute of each that is stored, and every note. */
import { setImmediate } from 'node:timers/promises'
import { ArchiveHere, eventAt, incidentOf, FeedSource } from './archived-world.ts'

const [, , path, to] = process.argv
const windowMinutes = 120

const archive = new ArchiveHere(path)
const source = new FeedSource()
for (let minute = 0; minute < Number(to); minute++) {
  const first = Math.max(0, minute - windowMinutes + 1)
  const events = Array.from({ length: minute - first + 1 }, (_, index) => eventAt(first + index))
  const before = archive.posted.length
  archive.tell(
    source.at(minute, {
      events,
      resolved: [incidentOf(minute + 1, minute, minute)],
      newestEvictedNs: first === 0 ? -1n : BigInt(first - 1) * 60_000_000_000n,
    }),
  )
  const notes = archive.posted.slice(before).flatMap((one) => (one.kind === 'note' ? [one.message] : []))
  for (const note of notes) console.log(note)
  if (notes.length === 0) console.log(minute)
  archive.posted.length = 0
  await setImmediate()
}
archive.close()
