import { parseArgs } from 'node:util'
import { measureWorld } from './measure.ts'
import { summaryOf } from './summary.ts'

/** Prints what worlds of several seeds live through: `node test/world/main.ts --seeds 1,2 --days 21 --scale medium`. */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    days: { type: 'string', default: '21' },
    scale: { type: 'string', default: 'medium' },
  },
})
const scale = values.scale === 'small' || values.scale === 'medium' ? values.scale : Number(values.scale)
const worlds = values.seeds.split(',').map((seed) => {
  const world = measureWorld({ seed: BigInt(seed), scale, days: Number(values.days) })
  console.error(`seed ${seed}: lived through ${values.days} days`)
  return world
})
console.log(summaryOf(worlds))
