/** The requirements of customers and prospects in words. */
import type { CustomerRecord, ProspectRecord } from '../contract/collections.ts'
import { requirementBits } from '../contract/records/customers.ts'

type Demands = CustomerRecord | ProspectRecord
type Requirement = (typeof requirementBits)[number]

const words: Readonly<Record<Requirement, (demands: Demands) => string>> = {
  compliance_required: ({ compliance_required }) => `${compliance_required ?? 'compliance'} compliance`,
  required_arch: ({ required_arch }) => `${required_arch ?? 'particular'} processors`,
  requires_multi_az: () => 'two zones',
  required_region: () => 'its home region',
  requires_private_segment: () => 'a private segment',
  demands_audit_logs: () => 'audit logs',
  demands_air_gap: () => 'an isolated network',
  requires_gpu: () => 'GPUs',
  requires_dedicated_hosts: () => 'dedicated hosts',
  requires_uncontended: () => 'hosts without contention',
  requires_fault_isolation: () => 'units spread over racks',
}

/** A requirement is demanded if its field is neither false nor null. */
export const requirementsText = (demands: Demands): string =>
  requirementBits
    .filter((name) => demands[name] !== false && demands[name] !== null)
    .map((name) => words[name](demands))
    .join(', ')

export const unmetRequirementsText = (customer: CustomerRecord): string =>
  requirementBits
    .filter((_, bit) => Math.floor(customer.requirements_unmet_mask / 2 ** bit) % 2 === 1)
    .map((name) => words[name](customer))
    .join(', ')
