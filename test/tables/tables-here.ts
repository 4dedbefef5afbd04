import { EventEmitter } from 'node:events'
import { processClock } from '../../src/process/clock.ts'
import type { Clock } from '../../src/contract/clock.ts'
import { TablesClient } from '../../src/tables/thread/tables-client.ts'
import { TablesThread } from '../../src/tables/thread/tables-thread.ts'
import type { FromTables, TablesThreadData, ToTables } from '../../src/tables/thread/protocol.ts'

type Options = ConstructorParameters<typeof TablesClient>[0]

/** The thread of tables in this one: messages are copied, and arrive in later rounds of the event loop. */
export class ThreadHere extends EventEmitter {
  readonly #thread: TablesThread
  #hasEnded = false

  constructor(data: TablesThreadData, clock: Clock) {
    super()
    const post = (message: FromTables, moved: ArrayBuffer[]): void => {
      const copy = structuredClone(message, { transfer: moved })
      setImmediate(() => this.emit('message', copy))
    }
    this.#thread = new TablesThread({ ...data, clock, post })
  }

  postMessage(message: ToTables, moved: ArrayBuffer[]): void {
    const copy = structuredClone(message, { transfer: moved })
    setImmediate(() => {
      if (!this.#hasEnded) this.#thread.receive(copy)
    })
  }

  async terminate(): Promise<void> {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.emit('exit', 1)
  }
}

/** A client whose thread is this one. */
export const tablesHere = (
  data: Partial<TablesThreadData> = {},
  options: Partial<Options> = {},
  clock: Clock = processClock,
): TablesClient =>
  new TablesClient({
    spawn: () => new ThreadHere({ archive: null, ...data }, clock),
    clock,
    note: () => {},
    archive: null,
    ...options,
  })
