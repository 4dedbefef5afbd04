/** Inspects a recording and prints its resource usage: `{"maxRssMb", "cpuSeconds", "exitCode"}` in the last line. */
import { runInspect } from '../../src/commands/inspect.ts'

await runInspect(process.argv.slice(2), {})
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
const usage = { maxRssMb: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }
console.log(JSON.stringify({ ...usage, exitCode: process.exitCode ?? 0 }))
