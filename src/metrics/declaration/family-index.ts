import type { CollectorName } from './collectors.ts'
import { collectorFamilies } from '../exposition/exposition.ts'
import { families } from '../families/all.ts'
import type { FamilyDeclaration } from './mirror-families.ts'

/** The families that the given collectors can expose, by name. */
export function declaredFamilies(
  collectors: readonly CollectorName[],
): ReadonlyMap<string, FamilyDeclaration> {
  const chosen = new Set(collectors)
  return new Map<string, FamilyDeclaration>([
    ...Object.entries(families).filter(([, family]) => chosen.has(family.collector)),
    ...Object.entries(collectorFamilies),
  ])
}
