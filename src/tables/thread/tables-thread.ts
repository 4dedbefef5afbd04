import { Archive } from '../../store/archive/archive.ts'
import type { ArchiveOptions } from '../../store/archive/archive.ts'
import type { ToArchive } from '../../store/archive/protocol.ts'
import { ArchiveUnavailable } from '../../contract/archive.ts'
import type { ArchiveAccess } from '../engine/archive-range.ts'
import { TableRefused } from '../engine/refused.ts'
import { TableMaker } from './table-maker.ts'
import type { FromTables, TablesThreadData, ToTables } from './protocol.ts'

interface TablesThreadOptions extends TablesThreadData, Pick<ArchiveOptions, 'clock' | 'open'> {
  /** Sends a message to the service thread; the buffers are moved there. */
  readonly post: (message: FromTables, moved: ArrayBuffer[]) => void
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Makes tables and pictures and keeps the archive, one message after the other. */
export class TablesThread {
  readonly #clock: ArchiveOptions['clock']
  readonly #post: TablesThreadOptions['post']
  readonly #maker: TableMaker
  /** Null without an archive, or once it has failed. */
  #archive: Archive | null = null

  constructor({ archive, clock, post, open }: TablesThreadOptions) {
    this.#clock = clock
    this.#post = post
    const ask = <T>(read: (archive: Archive) => T): T => {
      if (this.#archive === null) throw new ArchiveUnavailable('The archive has stopped.')
      return read(this.#archive)
    }
    const access: ArchiveAccess = {
      read: (query) => ask((one) => one.read(query)),
      days: (query) => ask((one) => one.days(query)),
      worlds: () => ask((one) => one.worlds()),
    }
    this.#maker = new TableMaker({ archive: archive === null ? null : access })
    if (archive === null) return
    const guarded = {
      ...clock,
      after: (ms: number, call: () => void) => clock.after(ms, () => this.#unlessFailed(call)),
    }
    this.#unlessFailed(() => {
      this.#archive = new Archive({
        ...archive,
        clock: guarded,
        post: (message) => post(message, []),
        ...(open && { open }),
      })
    })
  }

  receive(message: ToTables): void {
    if (message.kind === 'show') this.#maker.show(message.frame)
    else if (message.kind === 'make') this.#make(message)
    else this.#receiveForArchive(message)
  }

  #make({ id, request, histories, untilMs }: Extract<ToTables, { kind: 'make' }>): void {
    try {
      if (this.#clock.nowMs() > untilMs) throw new TableRefused('busy', 'It waited for too long.')
      const bytes = this.#maker.make(request, histories)
      this.#post({ kind: 'made', id, bytes }, [bytes.buffer])
    } catch (error) {
      const refusal = error instanceof ArchiveUnavailable ? 'archive' : null
      const reason = error instanceof TableRefused ? error.reason : refusal
      const stack = error instanceof Error ? error.stack : undefined
      const message = reason === null ? (stack ?? textOf(error)) : textOf(error)
      this.#post({ kind: 'failed', id, reason, message }, [])
    }
  }

  #receiveForArchive(message: ToArchive): void {
    if (this.#archive !== null) this.#unlessFailed(() => this.#archive!.receive(message))
    else if (message.kind === 'close') this.#post({ kind: 'closed' }, [])
  }

  /** A fault of the archive costs the archive, and no table. */
  #unlessFailed(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#archive?.abandon()
      this.#archive = null
      this.#post({ kind: 'stopped' }, [])
      const message = `The archive stopped: ${textOf(error)}. The mirror serves without it until it is restarted.`
      this.#post({ kind: 'note', isProblem: true, message }, [])
    }
  }
}
