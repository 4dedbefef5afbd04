import type { WorldView } from '../../state.ts'

/** What makes a fault more or less likely. */
export type HazardWorld = Pick<
  WorldView,
  'topology' | 'random' | 'now' | 'tick' | 'condition' | 'facility' | 'load' | 'threats' | 'tenants'
>
