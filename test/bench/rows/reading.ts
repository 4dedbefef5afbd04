import { themes } from '../../../src/pictures/palette.ts'
import { tables } from '../../../src/tables/catalog.ts'
import { FrameRecords } from '../../../src/tables/frame-records.ts'
import { drawings } from '../../../src/tables/pictures/pictures.ts'
import { MatchedItems } from '../../../src/tables/query.ts'
import { TableWorld } from '../../../src/tables/table-world.ts'
import { framesOf } from '../../recording/recorded.ts'
import { atMost, finding } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { takeTurns } from '../harness/turns.ts'
import { largeWorld, stringifiedHosts } from '../support/built-in-world.ts'

const request = { filters: new Map(), isLinked: true } as const

/** A picture and a table from the bytes of a frame, as at the first request of a publish. */
export const reading: Row = {
  name: 'reading',
  async measure() {
    const built = largeWorld()
    const frame = framesOf()(built.world.snapshot())
    const worldOfFrame = (): TableWorld => new TableWorld(new FrameRecords(frame), async () => null)
    const ofRack = new Map([['rack', ['100']]])
    const turns = await takeTurns(
      {
        network: {
          run() {
            const steps = drawings.network.draw(worldOfFrame(), request, themes.dark)
            while (steps.next().done !== true);
          },
        },
        table: {
          run() {
            const matched = new MatchedItems(tables.get('hosts')!, ofRack, worldOfFrame(), undefined)
            for (const _ of matched.find(Infinity));
            if (matched.items.length === 0) throw new Error('The rack has no hosts.')
          },
        },
        stringify: { run: () => void stringifiedHosts(built) },
      },
      { warmUps: 1 },
    )
    const against = 'of 10,000 hosts at the first request of a publish, against JSON.stringify of the hosts'
    const found = (name: 'network' | 'table', what: string, floor: number) =>
      finding(
        `read-${name}`,
        `${what} ${against}`,
        atMost(floor),
        turns.ratio(name, 'stringify'),
        turns.sides(name, 'stringify'),
      )
    return [
      found('network', 'the picture of the network', 3),
      found('table', 'a table of the hosts in a rack', 1),
    ]
  },
}
