import type { Archetype } from '../../../../contract/vocabularies.ts'
import type { RandomStream } from '../../random.ts'

const firstWords = [
  'Amber Alder Anvil Arbour Basalt Beacon Birch Bramble Cobalt Copper Cinder Clover Driftwood Ember',
  'Fathom Fennel Ferro Flint Foxglove Gannet Granite Harbour Heron Hollow Ibex Indigo Juniper',
  'Kestrel Kite Lantern Larch Lichen Lodestone Magpie Marram Meridian Mistral Moss Nimbus Northwind',
  'Oakum Obsidian Osprey Otter Peregrine Pewter Pinion Quarry Quill Raven Rowan Saffron Sable',
  'Sextant Slate Sorrel Sparrow Tallow Tamarack Teasel Thistle Tidewater Umber Verdigris Vesper',
  'Walnut Wicker Willow Yarrow Zephyr',
].flatMap((line) => line.split(' '))

const secondWords = [
  'Acre Anchor Arch Bay Bell Bridge Brook Cairn Coil Cove Crest Dale Fable Field Finch Ford Forge',
  'Gate Glen Grove Hatch Heath Hive Hook Key Knot Lane Ledge Loom Mast Mill Moor Needle Nest',
  'Orchard Paddock Peak Pier Plume Quay Reef Ridge Rook Sail Shore Spire Spoke Stone Thread Tower',
  'Vale Vane Wharf Wheel Yard',
].flatMap((line) => line.split(' '))

const suffixes: Readonly<Record<Archetype, readonly string[]>> = {
  Shop: ['Outfitters', 'Goods', 'Market', 'Gardens', 'Provisions', 'Shoes'],
  Saas: ['Software', 'Cloud', 'Works', 'Ledger', 'Desk', 'Suite'],
  GameStudio: ['Games', 'Interactive', 'Studios', 'Arcade', 'Play'],
  Media: ['Media', 'Radio', 'Pictures', 'News', 'Streaming', 'Press'],
  Bank: ['Bank', 'Savings', 'Credit Union', 'Trust', 'Payments'],
  Hospital: ['Clinics', 'Hospital', 'Health', 'Medical Centre', 'Care'],
  PublicOffice: ['District Council', 'Land Registry', 'Tax Office', 'City Hall', 'Port Authority'],
  MlLab: ['Research', 'Labs', 'Intelligence', 'Cognition', 'Models'],
  Startup: ['Labs', 'App', 'Ventures', 'Kitchen', 'Co'],
  Logistics: ['Freight', 'Logistics', 'Couriers', 'Shipping', 'Haulage'],
  University: ['University', 'College', 'Institute', 'Polytechnic', 'Academy'],
}

/** Generates a unique name, of about 40,000 per archetype, and adds it to `taken`. */
export function generateCustomerName(random: RandomStream, archetype: Archetype, taken: Set<string>): string {
  for (let attempt = 0; ; attempt++) {
    const suffix = random.pick(suffixes[archetype])
    const a = random.pick(firstWords)
    const b = random.pick(secondWords)
    const joined = random.chance(0.55) ? `${a} ${b}` : `${a} & ${b}`
    const number = attempt > 50 ? ` ${attempt}` : ''
    const name = `${joined} ${suffix}${number}`
    if (!taken.has(name)) {
      taken.add(name)
      return name
    }
  }
}
