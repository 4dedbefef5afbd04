import { aliveIntervalMs } from '../../sessions/session-process.ts'
import type { ListeningMessage } from '../../sessions/session-process.ts'
import { requestShutdown } from '../shutdown.ts'

/**
 * Whether this is the mirror of one of several sessions: clients do not use its own address, which changes at every
 * restart.
 */
export const isOneOfSeveral = (): boolean => process.send !== undefined

/** Reports the listening port to a parent process that has an IPC channel, and exits with it. */
export function reportPort(port: number): void {
  if (process.send === undefined) return
  const report = (): void => {
    if (process.connected) process.send!({ port } satisfies ListeningMessage)
  }
  report()
  setInterval(report, aliveIntervalMs)
  process.on('disconnect', () => requestShutdown('the process that started it exited'))
}
