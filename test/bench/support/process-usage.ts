import { readdirSync, readFileSync } from 'node:fs'

const kibPerMib = 1_024

/** Resident memory of a process, in MiB: now, or the most it has ever been. */
export function residentMib(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const line = new RegExp(String.raw`^${which}:\s+(?<kib>\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  return Number(line!.groups!['kib']) / kibPerMib
}

/** Processor time of a process, all its threads, in milliseconds. */
export function processorMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const ns = threads.map((thread) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // It has ended since it was listed.
      return 0
    }
  })
  return ns.reduce((sum, one) => sum + one, 0) / 1e6
}
