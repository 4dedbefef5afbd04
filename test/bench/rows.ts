import type { Row } from './harness/finding.ts'
import { archive } from './rows/archive.ts'
import { encoding } from './rows/encoding.ts'
import { exposition } from './rows/exposition.ts'
import { history } from './rows/history.ts'
import { http } from './rows/http.ts'
import { publishStall } from './rows/publishing.ts'
import { reading } from './rows/reading.ts'
import { recording } from './rows/recording.ts'
import { service } from './rows/service.ts'
import { fleetStep, rest, week } from './rows/simulation.ts'

/** Rows that are steady on a busy machine, and take seconds each. */
export const short: readonly Row[] = [...encoding, ...http, ...exposition, recording]
export const standard: readonly Row[] = [...short, history, publishStall, week, fleetStep, rest, reading]
export const long: readonly Row[] = [...archive, ...service]
