import type { CollectorName } from './collectors.ts'
import { collectorFamilies } from './exposition.ts'
import { families } from './families/all.ts'
import type { FamilyDeclaration } from './service-families.ts'

/** What the exposition of these collectors can hold, by name. */
export function declaredFamilies(
  collectors: readonly CollectorName[],
): ReadonlyMap<string, FamilyDeclaration> {
  const chosen = new Set(collectors)
  return new Map<string, FamilyDeclaration>([
    ...Object.entries(families).filter(([, family]) => chosen.has(family.collector)),
    ...Object.entries(collectorFamilies),
  ])
}
