import { getPriority, setPriority } from 'node:os'

/** Computing files yield the processor to others: servers under test then respond in time. */
const step = 10
const lowest = 19
const isolated = globalThis as { yielded?: boolean }
if (isolated.yielded !== true) setPriority(Math.min(lowest, getPriority() + step))
isolated.yielded = true
