/** An entity that a fault or a work order is about: a row of a table, or a customer by its id. */
export type FaultTarget =
  | {
      readonly kind:
        | 'Host'
        | 'Switch'
        | 'Gateway'
        | 'Appliance'
        | 'Cable'
        | 'Port'
        | 'PowerFeed'
        | 'CoolingUnit'
      readonly row: number
    }
  | { readonly kind: 'Customer'; readonly id: number }
  | { readonly kind: 'Pool'; readonly row: number }
