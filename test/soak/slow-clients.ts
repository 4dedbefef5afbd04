import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { inSession } from './read-mirrors.ts'

const paths = ['/metrics', '/api/v1/hosts?limit=1000', '/api/v1/network/cables?limit=1000']
const readEveryMs = 250

/** Clients that read a large response a few kilobytes at a time, then request the next one. */
export class SlowClients {
  /** Complete responses, and connections that the mirror closed earlier. */
  completed = 0
  ended = 0
  readonly failures: string[] = []
  readonly #port: number
  readonly #sessions: readonly string[]
  readonly #bytesPerSecond: number
  readonly #sockets = new Set<Socket>()
  #isStopped = false

  constructor(port: number, sessions: readonly string[], count: number, bytesPerSecond: number) {
    this.#port = port
    this.#sessions = sessions
    this.#bytesPerSecond = bytesPerSecond
    for (let index = 0; index < count; index++) this.#ask(index)
  }

  stop(): void {
    this.#isStopped = true
    for (const socket of this.#sockets) socket.destroy()
  }

  #ask(index: number): void {
    const path = inSession(paths[index % paths.length], this.#sessions[index % this.#sessions.length])
    const socket = connect(this.#port, '127.0.0.1')
    this.#sockets.add(socket)
    let head = ''
    let received = 0
    let length: number | null = null
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    socket.on('readable', () => {})
    const reading = setInterval(() => {
      for (let left = (this.#bytesPerSecond * readEveryMs) / 1000; left > 0; ) {
        const chunk = socket.read(Math.min(left, socket.readableLength)) as Buffer | null
        if (chunk === null || chunk.length === 0) break
        left -= chunk.length
        received += chunk.length
        if (length === null) {
          head += chunk.toString('latin1')
          const [, digits] = /content-length: (\d+)[^]*?\r\n\r\n/i.exec(head) ?? []
          if (digits !== undefined) length = head.indexOf('\r\n\r\n') + 4 + Number(digits)
        }
      }
      if (length !== null && received >= length) this.#finish(socket, reading, index, true)
    }, readEveryMs)
    socket.on('error', () => this.#finish(socket, reading, index, false))
    socket.on('close', () => this.#finish(socket, reading, index, false))
  }

  #finish(socket: Socket, reading: NodeJS.Timeout, index: number, isWhole: boolean): void {
    clearInterval(reading)
    if (!this.#sockets.delete(socket)) return
    socket.destroy()
    if (this.#isStopped) return
    if (isWhole) this.completed++
    else this.ended++
    setTimeout(() => {
      if (!this.#isStopped) this.#ask(index)
    }, 1_000)
  }
}
