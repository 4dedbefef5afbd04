interface CatalogEntry {
  readonly name: string
  /** Price in exchange for the broken part. */
  readonly dollars: number
  /** Initial stock: `stockMin`, plus one per `devicesPerPart` devices. */
  readonly stockMin: number
  readonly devicesPerPart: number
  readonly deliveryHours: readonly [min: number, max: number]
}

export const partCatalog = {
  ssd: { name: 'SSD', dollars: 120, stockMin: 4, devicesPerPart: 15, deliveryHours: [8, 26] },
  psu: { name: 'power supply', dollars: 70, stockMin: 3, devicesPerPart: 25, deliveryHours: [8, 26] },
  fan: { name: 'fan tray', dollars: 40, stockMin: 3, devicesPerPart: 25, deliveryHours: [8, 26] },
  mainboard: { name: 'mainboard', dollars: 210, stockMin: 2, devicesPerPart: 60, deliveryHours: [12, 36] },
  memory: { name: 'memory module', dollars: 90, stockMin: 2, devicesPerPart: 40, deliveryHours: [8, 26] },
  transceiver: { name: 'transceiver', dollars: 45, stockMin: 4, devicesPerPart: 30, deliveryHours: [8, 20] },
  cable: { name: 'cable', dollars: 20, stockMin: 6, devicesPerPart: 20, deliveryHours: [6, 18] },
  switch: { name: 'switch', dollars: 360, stockMin: 1, devicesPerPart: 150, deliveryHours: [10, 30] },
  gateway: { name: 'gateway', dollars: 1_100, stockMin: 1, devicesPerPart: 1_000, deliveryHours: [12, 36] },
  appliance: { name: 'appliance', dollars: 800, stockMin: 1, devicesPerPart: 1_000, deliveryHours: [12, 36] },
  compressor: { name: 'compressor', dollars: 300, stockMin: 2, devicesPerPart: 600, deliveryHours: [10, 30] },
  filter: { name: 'air filter', dollars: 25, stockMin: 6, devicesPerPart: 60, deliveryHours: [10, 30] },
  battery: {
    name: 'battery string',
    dollars: 240,
    stockMin: 2,
    devicesPerPart: 600,
    deliveryHours: [12, 36],
  },
} as const satisfies Readonly<Record<string, CatalogEntry>>

export type PartKind = keyof typeof partCatalog
export const partKinds = Object.keys(partCatalog) as PartKind[]

/** "an SSD", "a fan tray". */
export const partWithArticle = (part: PartKind): string =>
  `${part === 'ssd' || part === 'appliance' || part === 'filter' ? 'an' : 'a'} ${partCatalog[part].name}`
