import { numberText } from '../../../../../contract/messages/catalog.ts'
import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { overflowGbps } from '../../../network/links/saturation.ts'
import { minute } from '../../../time.ts'
import { endsOf } from '../../../topology/entities.ts'
import type { ShortageKind } from '../../fault-kind.ts'
import { relieve } from '../../repair.ts'
import type { ShortageSearch } from '../../shortages.ts'

/** Minimum dropped traffic as a share of the link's capacity. */
export const droppedShareMin = 0.004

/** Smaller values round to 0 Gbit/s. */
export const droppedGbpsMin = 0.005

const findFullLinks: ShortageSearch = (world, { report }) => {
  const { ports } = world.topology
  if (world.network.droppingPorts === 0) return
  for (let port = 0; port < ports.count; port++) {
    const dropped = overflowGbps(world, port)
    if (dropped > 0 && dropped > droppedShareMin * ports.capacityGbps[port] && ports.cable[port] >= 0) {
      report({ kind: 'Cable', row: ports.cable[port] }, dropped)
    }
  }
}

export const linkSaturation: ShortageKind = {
  origin: { type: 'shortage', search: findFullLinks },
  effects: {},
  diagnosis: {
    article: article('link-saturation', '**Full links** and what fills them'),
    lookAt: 'List the top talkers on the link',
    suspicions: [suspicion(subjectItself, { 'link-full': 0.4 })],
    checks: [
      readingCheck({
        delay: 3 * minute,
        label: (name) => `Queue at ${name}`,
        read(world, row) {
          const dropped = Math.max(...endsOf(world.topology, row).map((port) => overflowGbps(world, port)))
          return dropped > droppedGbpsMin ? `${numberText(dropped)} Gbit/s dropped` : null
        },
        abnormal: ['Traffic exceeds the link capacity.', 2.2],
        normal: ['empty', 'The link has headroom.', 0.15],
      }),
    ],
  },
  remedy: 'relieve',
  planRepair: relieve,
  action: null,
}
