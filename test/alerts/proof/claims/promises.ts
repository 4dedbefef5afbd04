import { availabilityPromised, thresholds } from '../../../../alerts/thresholds.ts'
import { keyOf, where } from '../claim.ts'
import type { Sight } from '../claim.ts'

const services = ({ snapshot }: Sight) =>
  snapshot.collections.customers.flatMap(({ id, services }) =>
    services.map((service) => ({ key: keyOf(id, service.class_tag), service })),
  )
const customerKey = ({ id }: { readonly id: number | bigint }): string => String(id)
const hourNs = 3_600_000_000_000n

/** What single customers were promised and do not have, and what prospects wait for. */
export const promiseClaims = () => ({
  DcsimServiceDown: {
    key: ['customer', 'service'],
    look: (sight: Sight) =>
      where(
        services(sight),
        ({ service }) => service.state === 'Down',
        ({ key }) => key,
      ),
  },
  DcsimReplicasLost: {
    key: ['customer', 'service'],
    look: (sight: Sight) =>
      where(
        services(sight),
        ({ service }) => service.replicas_held < service.replicas_target,
        ({ key }) => key,
      ),
  },
  DcsimSlaBroken: {
    key: ['customer'],
    look: ({ snapshot }: Sight) =>
      where(
        snapshot.collections.customers,
        ({ availability_pct: answered, tier }) => answered / 100 < availabilityPromised[tier],
        customerKey,
      ),
  },
  DcsimRequirementsUnmet: {
    key: ['customer'],
    look: ({ snapshot }: Sight) =>
      where(snapshot.collections.customers, ({ requirements_unmet_mask: mask }) => mask > 0, customerKey),
  },
  DcsimProspectExpiresSoon: {
    key: ['prospect'],
    look: ({ snapshot }: Sight) =>
      where(
        snapshot.collections.prospects,
        ({ expires_at_ns: expires }) =>
          BigInt(expires) - snapshot.simTimeNs < BigInt(thresholds.prospectExpiresHours) * hourNs,
        customerKey,
      ),
  },
  DcsimSegmentFull: {
    key: ['segment'],
    look: ({ snapshot }: Sight) =>
      where(
        snapshot.collections.segments,
        (segment) =>
          segment.dedicated_total_vcpu_milli > 0 &&
          Math.min(
            segment.dedicated_free_vcpu_milli / segment.dedicated_total_vcpu_milli,
            segment.dedicated_free_mem_mb / segment.dedicated_total_mem_mb,
          ) < thresholds.segmentFreeShareLow,
        customerKey,
      ),
  },
})
