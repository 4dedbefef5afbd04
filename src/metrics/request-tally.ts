import { routeNames, routes } from '../contract/routes.ts'
import type { RouteName } from '../contract/routes.ts'

/** Upper bounds of the histogram of request durations, in seconds. */
export const requestDurationBounds = [
  0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1,
] as const

/** The status codes that the service answers with; any other is counted as `other`. */
export const statusCodes = [200, 304, 400, 403, 404, 405, 406, 500, 503] as const

/** A route of the contract, or none of them. */
export type AnsweredRoute = RouteName | 'none'

export interface RouteTally {
  /** The path template; `none` for requests that match no route. */
  readonly route: string
  /** By `statusCodes`, and one more for all others. */
  readonly codes: Float64Array
  /** By `requestDurationBounds`, and one more for all slower; not cumulative. */
  readonly durations: Float64Array
  seconds: number
  bytes: number
}

export interface RequestTally {
  readonly routes: readonly RouteTally[]
  add(route: AnsweredRoute, code: number, seconds: number, bytes: number): void
}

const emptyTally = (route: string): RouteTally => ({
  route,
  codes: new Float64Array(statusCodes.length + 1),
  durations: new Float64Array(requestDurationBounds.length + 1),
  seconds: 0,
  bytes: 0,
})

/** Counts requests in plain arrays: a registry's label look-ups would cost more than many an answer. */
export function createRequestTally(): RequestTally {
  const byRoute = Object.fromEntries([
    ...routeNames.map((name) => [name, emptyTally(routes[name].path)]),
    ['none', emptyTally('none')],
  ]) as Record<AnsweredRoute, RouteTally>
  return {
    routes: Object.values(byRoute),
    add(route, code, seconds, bytes) {
      const tally = byRoute[route]
      let codeAt = 0
      while (codeAt < statusCodes.length && statusCodes[codeAt] !== code) codeAt++
      tally.codes[codeAt]++
      let bucket = 0
      while (bucket < requestDurationBounds.length && seconds > requestDurationBounds[bucket]) bucket++
      tally.durations[bucket]++
      tally.seconds += seconds
      tally.bytes += bytes
    },
  }
}
