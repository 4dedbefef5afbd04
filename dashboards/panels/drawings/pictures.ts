import { toDashboard } from '../../layout/links.ts'
import { picture } from '../../visualizations/picture.ts'

const floorMeaning =
  'Zones with their racks to scale, and every device in them: as bright as it is loaded, in the color of its state. A number is an incident. At the side: cooling units and their load.'

/** All zones with their racks and devices. */
export const floorPanel = picture({
  title: 'Floor',
  description: floorMeaning,
  picture: 'floor',
  links: [toDashboard('dcsim-floor')],
})

export const zoneFloorPanel = picture({
  title: 'Racks of the zone',
  description: floorMeaning,
  picture: 'floor',
  query: 'zone=${zone}',
})

/** The selected zones from upstream to racks; of a single one also its hosts. */
export const topologyPanel = picture({
  title: 'Topology',
  description:
    'The network from upstream at the top to racks at the bottom. A line is as wide as it can carry, and as full as its traffic in and out; dashed where it is down. Dots are hostile traffic. Select one zone to see its hosts.',
  picture: 'network',
  query: 'zone=${zone:csv}',
})
