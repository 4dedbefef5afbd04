import { parentPort, workerData } from 'node:worker_threads'
import { measureWorld } from './measure.ts'
import type { MeasuredRun } from './measure.ts'

/** Lives through a world beside others. */
parentPort!.postMessage(measureWorld(workerData as MeasuredRun))
