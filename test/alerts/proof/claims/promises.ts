import { availabilityPromised } from '../../../../alerts/plan-terms.ts'
import { keyOf, where } from '../claim.ts'
import type { Sight } from '../claim.ts'

const services = ({ snapshot }: Sight) =>
  snapshot.collections.customers.flatMap(({ id, services }) =>
    services.map((service) => ({ key: keyOf(id, service.class_tag), service })),
  )
const customerKey = ({ id }: { readonly id: number | bigint }): string => String(id)

/** Broken promises to single customers. */
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
})
