import type { EvidenceCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { abnormal, normal } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import type { CustomerDefect } from '../../../tenants/tenant.ts'
import { minute } from '../../../time.ts'
import { nameOf, rowOf } from '../../../topology/entities.ts'

interface DefectCheck {
  readonly defect: CustomerDefect
  readonly label: string
  readonly abnormal: readonly [value: (share: number) => string, detail: string]
  readonly normal: readonly [value: string, detail: string]
}

/** A test from outside of what a customer itself maintains. */
export const defectCheck = (check: DefectCheck): EvidenceCheck => ({
  delay: 2 * minute,
  observe(world, target) {
    const label = `${check.label} of **${nameOf(world, target)}**`
    const share = world.tenants.byId.get(rowOf(target))?.defects[check.defect] ?? 0
    if (share === 0) return normal(label, ...check.normal, 0.1)
    return abnormal(label, check.abnormal[0](share), check.abnormal[1], 8)
  },
})
