import { aliveIntervalMs } from '../../sessions/session-process.ts'
import type { ListeningMessage } from '../../sessions/session-process.ts'
import { requestShutdown } from '../shutdown.ts'

/** Whether this is the mirror of one of several sessions: clients do not use its own address, which a restart changes. */
export const isOneOfSeveral = (): boolean => process.send !== undefined

/** Keeps the process that started this one, if it listens to it, informed where the service listens, and exits with it. */
export function reportPort(port: number): void {
  if (process.send === undefined) return
  const report = (): void => {
    if (process.connected) process.send!({ port } satisfies ListeningMessage)
  }
  report()
  setInterval(report, aliveIntervalMs)
  process.on('disconnect', () => requestShutdown('the process that started it exited'))
}
