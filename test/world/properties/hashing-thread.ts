import { parentPort, workerData } from 'node:worker_threads'
import { fingerprintAfter, type WorldToHash } from './fingerprint.ts'

parentPort?.postMessage(fingerprintAfter(workerData as WorldToHash))
