const partKinds = [
  'Host',
  'Switch',
  'Gateway',
  'Appliance',
  'Cable',
  'Port',
  'PowerFeed',
  'CoolingUnit',
] as const

export const targetKinds = [...partKinds, 'Customer', 'Pool'] as const

/** The subject of a fault or a work order: a row of a table, or a customer by its id. */
export type FaultTarget =
  | { readonly kind: (typeof partKinds)[number]; readonly row: number }
  | { readonly kind: 'Customer'; readonly id: number }
  | { readonly kind: 'Pool'; readonly row: number }
