/** Shuts down while another thread waits for the operating system: it opens a pipe that no other process writes to. */
import { Worker } from 'node:worker_threads'
import { exitWhenEnded, installSignalHandlers, setShutdownHandler } from '../../src/commands/shutdown.ts'

const [pipe] = process.argv.slice(2)
installSignalHandlers()
const open = `process.getBuiltinModule('node:fs').openSync(${JSON.stringify(pipe)})`
const worker = new Worker(open, { eval: true })
setShutdownHandler((reason) => {
  console.log(`Shutting down: ${reason}.`)
  void exitWhenEnded(0, { threads: worker.terminate(), beforeExit: () => console.log('released') })
})
worker.on('online', () => setTimeout(() => console.log('blocked'), 200))
