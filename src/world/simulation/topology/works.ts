import type { Micros } from '../time.ts'
import type { PortRole } from './tables.ts'

/** Links that can be upgraded to faster optics, all of a role in a zone at once. */
export const upgradableRoles = [
  'AggregationUp',
  'CoreUp',
  'ApplianceOutside',
  'ApplianceOneArm',
  'GatewayWan',
] as const satisfies readonly PortRole[]
export type UpgradableRole = (typeof upgradableRoles)[number]

/** Changes of a site after it was built. A site follows from seed, scale and its works in order. */
export type Works =
  | { readonly kind: 'Hosts'; readonly zone: number; readonly pool: number; readonly count: number }
  | { readonly kind: 'Rack'; readonly zone: number }
  | { readonly kind: 'Links'; readonly zone: number; readonly role: UpgradableRole; readonly gbps: number }
  | {
      readonly kind: 'Device'
      readonly device: NetworkDevice
      readonly row: number
      readonly fabricGbps: number
    }
  | { readonly kind: 'Cooling'; readonly zone: number; readonly kw: number }
  | { readonly kind: 'Power'; readonly zone: number; readonly kw: number }
  | { readonly kind: 'Zone'; readonly region: number; readonly hosts: number }
  | { readonly kind: 'Generation' }
  | { readonly kind: 'Renewal'; readonly host: number }
  | { readonly kind: 'Removal'; readonly hosts: readonly number[] }

/** Works that are ordered, delivered and installed; the others are the end of a project or of a sale. */
export type OrderedWorks = Exclude<Works, { readonly kind: 'Zone' | 'Generation' | 'Removal' }>

export type DatedWorks = Works & { readonly at: Micros }

export type NetworkDevice = 'Switch' | 'Gateway' | 'Appliance'
