import { themes } from '../../../src/pictures/palette.ts'
import { FrameRecords } from '../../../src/tables/frame-records.ts'
import { drawings } from '../../../src/tables/pictures/pictures.ts'
import { TableWorld } from '../../../src/tables/table-world.ts'
import { framesOf } from '../../recording/recorded.ts'
import { atMost, finding } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { takeTurns } from '../harness/turns.ts'
import { builtInWorld, stringifiedHosts } from '../support/built-in-world.ts'

const request = { filters: new Map(), isLinked: true } as const
const floors: Readonly<Record<'floor' | 'network' | 'power', number>> = { floor: 1, network: 3, power: 1 }

/** Drawn from the bytes of a frame, as by the first request of a publish: the records are decoded for it. */
export const pictures: Row = {
  name: 'pictures',
  async measure() {
    const built = builtInWorld(10_000, 0)
    built.world.step()
    const frame = framesOf()(built.world.snapshot())
    const drawn = (name: keyof typeof floors) => ({
      run() {
        const world = new TableWorld(new FrameRecords(frame), async () => null)
        const steps = drawings[name].draw(world, request, themes.dark)
        while (steps.next().done !== true);
      },
    })
    const turns = await takeTurns(
      {
        floor: drawn('floor'),
        network: drawn('network'),
        power: drawn('power'),
        stringify: { run: () => void stringifiedHosts(built) },
      },
      { warmUps: 3 },
    )
    return Object.entries(floors).map(([name, floor]) => {
      const picture = name as keyof typeof floors
      const measured = `the ${name} of 10,000 hosts with its records decoded, against JSON.stringify of the hosts`
      const ratio = turns.ratio(picture, 'stringify')
      return finding(`picture-${name}`, measured, atMost(floor), ratio, turns.sides(picture, 'stringify'))
    })
  },
}
