/** The answer of an HTTP server, which may be any program. */
export interface ServerAnswer {
  readonly isOk: boolean
  readonly status: number
  readonly text: string
}

/** A series of a month from a Prometheus takes most. */
const answerBytesMax = 128 * 2 ** 20

interface AskOptions extends RequestInit {
  /** Deadline for the whole answer. */
  readonly timeoutMs: number
}

/**
 * Sends a request with a deadline and a limit on the body. Throws an error whose message is the reason if no answer
 * arrives.
 */
export async function askServer(url: string, { timeoutMs, ...init }: AskOptions): Promise<ServerAnswer> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    const pieces: Uint8Array[] = []
    let length = 0
    for await (const piece of response.body ?? []) {
      length += piece.length
      if (length > answerBytesMax)
        throw new Error(`its answer is larger than ${answerBytesMax / 2 ** 20} MiB`)
      pieces.push(piece)
    }
    return { isOk: response.ok, status: response.status, text: Buffer.concat(pieces).toString() }
  } catch (error) {
    const { name, message, cause } = error as Error
    if (name === 'TimeoutError') throw new Error(`no answer within ${timeoutMs / 1000} s`, { cause: error })
    throw new Error(cause instanceof Error && cause.message !== '' ? cause.message : message, {
      cause: error,
    })
  }
}
