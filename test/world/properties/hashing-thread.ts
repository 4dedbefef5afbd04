import { parentPort, workerData } from 'node:worker_threads'
import { fingerprintAfter } from './fingerprint.ts'
import type { WorldToHash } from './fingerprint.ts'

parentPort?.postMessage(fingerprintAfter(workerData as WorldToHash))
