import { routes } from '../../contract/routes.ts'
import type { Route, RouteName } from '../../contract/routes.ts'
import { recordParts } from '../../encoding/frames/frame-parts.ts'
import type { FramePart } from '../../encoding/frames/frame-parts.ts'

/** The parts of a frame that a route reads. A table reads any list. */
export function partsReadBy(name: RouteName): readonly FramePart[] {
  const { answer }: Route = routes[name]
  if (answer.kind === 'page') return [answer.collection]
  if (answer.kind === 'detail') return answer.collections
  if (name === 'metrics') return ['samples']
  if (name === 'diagnostics') return ['diagnostics']
  return name === 'table' || name === 'picture' || name === 'landing' ? recordParts : []
}
