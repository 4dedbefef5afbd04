import { setPriority } from 'node:os'

/** Computing files yield the processor to others: servers under test then respond in time. */
setPriority(10)
