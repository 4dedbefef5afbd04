/** The world's side of the service, in a thread of its own: builds a world as it is told and runs it. */
import { parentPort, workerData } from 'node:worker_threads'
import { clockOf } from './contract/clock.ts'
import type { FromWorld, ToWorld } from './encoding/thread-messages.ts'
import { createExposition } from './metrics/exposition.ts'
import { FileBytes } from './recording/recording-file.ts'
import { RecordingIndex } from './recording/recording-index.ts'
import { createSimulation } from './simulation/world.ts'
import { AttachedSource } from './sources/attached/source.ts'
import { ReplaySource } from './sources/replay/source.ts'
import { SimulationSource } from './sources/simulation.ts'
import type { Source } from './sources/source.ts'
import { WorldHost } from './sources/world-host.ts'
import type {
  MirroredWorld,
  RecordedWorldChoice,
  ServedWorld,
  SimulatedWorld,
  WorldThreadData,
} from './sources/world-thread-data.ts'

const nsAMicrosecond = 1000n

const port = parentPort
if (port === null) throw new Error('The world runs in a thread that the service starts.')

const { world, cadenceMs, collectors, reachNs } = workerData as WorldThreadData
const clock = clockOf(() => process.hrtime.bigint(), setTimeout, clearTimeout)
const exposition = createExposition({
  collectors,
  clock: clock.nowMs,
  onFailure: (collector, error) => console.error(`The collector ${collector} failed:`, error),
})

function simulationSource({ seed, scale, speed, scenario, warmupNs }: SimulatedWorld): Source {
  return new SimulationSource({
    title: scenario?.title ?? 'The built-in simulation',
    world: createSimulation({ seed, scale, speed, scenario, warmUp: Number(warmupNs / nsAMicrosecond) }),
    exposition,
    clock,
    speed,
    // A world that is started again goes on to where its readers saw it last.
    warmUpNs: reachNs > warmupNs ? reachNs : warmupNs,
    cadenceMs,
  })
}

const serverSource = ({ origin }: ServedWorld): Source =>
  new AttachedSource({ origin: new URL(origin), exposition, clock, cadenceMs, chance: Math.random })

const recordedSource = ({ file, speed, span, loop }: RecordedWorldChoice): Source =>
  new ReplaySource({
    title: file,
    index: new RecordingIndex(new FileBytes(file)),
    exposition,
    clock,
    speed,
    span,
    loop,
    reachNs,
  })

function sourceOf(chosen: MirroredWorld): Source {
  if (chosen.kind === 'simulation') return simulationSource(chosen)
  return chosen.kind === 'server' ? serverSource(chosen) : recordedSource(chosen)
}

const source = sourceOf(world)
const host = new WorldHost({
  source,
  clock,
  post: (message: FromWorld, moved) => port.postMessage(message, moved),
  soon: (call) => setImmediate(call),
})
port.on('message', (message: ToWorld) => host.receive(message))
host.start()
