import { setPriority } from 'node:os'

/** Files that only compute take what processor time others leave: beside them, servers under test answer in time. */
setPriority(10)
