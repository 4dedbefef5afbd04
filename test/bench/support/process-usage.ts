import { readdirSync, readFileSync } from 'node:fs'

const kibPerMib = 1_024

/** Resident memory of a process, in MiB: now, or the most it has ever been. */
export function residentMib(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const line = new RegExp(String.raw`^${which}:\s+(?<kib>\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  return Number(line!.groups!['kib']) / kibPerMib
}

function threadMs(pid: number, thread: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    // It has ended since it was listed.
    return 0
  }
}

/** Processor time of a process, all its threads, in milliseconds. */
export function processorMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map(Number)
  return threads.reduce((sum, thread) => sum + threadMs(pid, thread), 0)
}

/** Processor time of a process's first thread, in milliseconds. */
export const firstThreadMs = (pid: number): number => threadMs(pid, pid)

/** The processes that a process has started and that still run. */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
