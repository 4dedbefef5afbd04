import { themes } from '../../../src/pictures/palette.ts'
import { tables } from '../../../src/tables/catalog.ts'
import { FrameRecords } from '../../../src/tables/engine/frame-records.ts'
import { drawings } from '../../../src/tables/drawings/pictures.ts'
import { matchedItems } from '../../../src/tables/engine/query.ts'
import { TableWorld } from '../../../src/tables/engine/table-world.ts'
import { framesOf } from '../../recording/recorded.ts'
import { atMost, finding } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { takeTurns } from '../harness/turns.ts'
import { largeWorld, stringifiedHosts } from '../support/built-in-world.ts'

const request = { filters: new Map(), isLinked: true, size: null } as const

/** A picture and a table from the bytes of a frame, as at the first request of a publish. */
export const reading: Row = {
  name: 'reading',
  async measure() {
    const built = largeWorld()
    const frame = framesOf()(built.world.snapshot())
    const worldOfFrame = (): TableWorld => new TableWorld(new FrameRecords(frame))
    const ofRack = new Map([['rack', ['100']]])
    const turns = await takeTurns(
      {
        network: { run: () => void drawings.network.draw(worldOfFrame(), request, themes.dark) },
        table: {
          run() {
            const asked = { filters: ofRack, range: null, histories: [] }
            if (matchedItems(tables.get('hosts')!, asked, worldOfFrame()).length === 0)
              throw new Error('The rack has no hosts.')
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
