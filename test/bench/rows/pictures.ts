import { themes } from '../../../src/pictures/palette.ts'
import { FrameRecords } from '../../../src/tables/frame-records.ts'
import { floorPicture } from '../../../src/tables/pictures/floor.ts'
import { networkPicture } from '../../../src/tables/pictures/network.ts'
import { powerPicture } from '../../../src/tables/pictures/power.ts'
import { TableWorld } from '../../../src/tables/table-world.ts'
import { framesOf } from '../../recording/recorded.ts'
import type { Row } from '../harness/finding.ts'
import { takeTurns } from '../harness/turns.ts'
import { builtInWorld, stringifiedHosts } from '../support/built-in-world.ts'

const drawings = { floor: floorPicture, network: networkPicture, power: powerPicture }
const request = { filters: new Map(), isLinked: true } as const

/** Drawn from the bytes of a frame, as by the first request of a publish: the records are decoded for it. */
const rowOf = (name: keyof typeof drawings, hosts: number, repeated: number, floor: number): Row => ({
  name: `picture-${name}-${hosts}`,
  async measure(progress) {
    progress(`building ${hosts} hosts`)
    const built = builtInWorld(hosts, 0)
    built.world.step()
    const frame = framesOf()(built.world.snapshot())
    let bytes = 0
    const draw = (): void => {
      const steps = drawings[name](
        new TableWorld(new FrameRecords(frame), async () => null),
        request,
        themes.dark,
      )
      for (;;) {
        const { done, value } = steps.next()
        if (done === true) {
          bytes = Buffer.byteLength(value)
          return
        }
      }
    }
    const repeat = (run: () => void) => () => {
      for (let time = 0; time < repeated; time++) run()
    }
    const turns = await takeTurns(
      { draw: { run: repeat(draw) }, stringify: { run: repeat(() => void stringifiedHosts(built)) } },
      { rounds: 11, warmUps: 3 },
    )
    const medians = [turns.median('draw'), turns.median('stringify')].map((ms) => (ms / repeated).toFixed(1))
    return [
      {
        row: `picture-${name}-${hosts}`,
        measured: `the ${name} of ${hosts.toLocaleString('en-US')} hosts, with its records decoded`,
        against: 'JSON.stringify of the hosts',
        ...turns.ratio('draw', 'stringify'),
        unit: 'of it',
        better: 'lower',
        floor,
        medians: `${medians[0]} : ${medians[1]} ms, ${(bytes / 1000).toFixed(0)} kB`,
      },
    ]
  },
})

export const pictures: readonly Row[] = [
  rowOf('floor', 120, 20, 8),
  rowOf('network', 120, 20, 8),
  rowOf('floor', 10_000, 1, 1),
  rowOf('network', 10_000, 1, 3),
  rowOf('power', 10_000, 1, 1),
]
