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

/** All zones, with the lines of defense that hostile traffic passes. */
export const attackPathPanel = picture({
  title: 'Where it passes',
  description:
    'Hostile traffic as dots: where it arrives, which line of defense stops it, and what passes on to the core. A defense says how much it stops.',
  picture: 'network',
  links: [toDashboard('dcsim-network')],
})

export const rackPanel = picture({
  title: 'The rack',
  description:
    'To scale: every device with its name and load, the power feeds that reach it on the left, its cables to the switches of the rack on the right.',
  picture: 'rack',
  query: 'rack=${rack}',
})

export const powerPanel = picture({
  title: 'From feeds to racks, with heat',
  description:
    'Each zone: power feeds and their load, the racks they feed, the cooling units that take the heat away, and what would follow if one more failed.',
  picture: 'power',
  query: 'zone=${zone:csv}',
})

export const incidentPanel = picture({
  title: 'From cause to customers',
  description:
    'From the cause over the place to those who are hit. Below, the zones that it reaches: devices that it does not affect recede.',
  picture: 'incident',
  query: 'incident=${incident}',
})
