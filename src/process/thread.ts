import { extname } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { Worker } from 'node:worker_threads'
import type { WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread of this program: a source of this checkout, its compiled form in the package, or the bundle in the
 * executable, whose threads import no files.
 */
export const ownThread = (
  name: 'world-thread' | 'tables-thread',
  options: Pick<WorkerOptions, 'workerData' | 'transferList' | 'resourceLimits'>,
): Worker =>
  isSea()
    ? new Worker(getAsset(`${name}.js`, 'utf8'), {
        ...options,
        eval: true,
        execArgv: ['--input-type=module'],
      })
    : new Worker(new URL(`../${name}${extname(import.meta.url)}`, import.meta.url), options)
