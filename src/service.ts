/** Puts the service together over a supply of frames: mirror, its own metrics, server. */
import { randomBytes } from 'node:crypto'
import type { Clock } from './contract/clock.ts'
import { encodedFamilies } from './http/answers/declared-metrics.ts'
import { landingPage } from './http/landing/page.ts'
import { openApiRepresentation } from './http/openapi/representation.ts'
import { HttpServer } from './http/server.ts'
import type { CollectorName } from './metrics/collectors.ts'
import { declaredFamilies } from './metrics/declared.ts'
import { createServiceMetrics } from './metrics/own.ts'
import type { ServiceMetrics } from './metrics/own.ts'
import type { HistoryReader } from './metrics/series-reader.ts'
import type { FrameSupply } from './mirror/frame-supply.ts'
import { Mirror } from './mirror/mirror.ts'

export interface ServiceOptions {
  readonly supply: FrameSupply
  readonly clock: Clock
  readonly version: string
  readonly cadenceMs: number
  readonly idleAfterMs: number
  /** The collectors that the supply's exposition has. */
  readonly collectors: readonly CollectorName[]
  /** Names that readers may call this machine by. */
  readonly allowedHosts: readonly string[]
  /** The history as it is to be read now. */
  readonly history: () => HistoryReader
  /** One line for people about what went wrong. */
  readonly log: (line: string) => void
}

export interface Service {
  readonly mirror: Mirror
  readonly server: HttpServer
}

/** The history of a world that keeps none, or has not begun. */
export const noHistory: HistoryReader = { paths: () => ({ paths: [], total: 0 }), series: () => null }

function metricsOf(mirror: Mirror, clock: Clock, version: string): ServiceMetrics {
  let capturedAtMs: number | null = null
  let frameBytes = 0
  const metrics = createServiceMetrics({
    version,
    nowMs: clock.nowMs,
    figures: () => ({
      worldReady: capturedAtMs !== null,
      paused: mirror.status().status === 'idle',
      ageSeconds: capturedAtMs === null ? 0 : (clock.nowMs() - capturedAtMs) / 1000,
      frameBytes,
      sourceUp: ['ok', 'idle'].includes(mirror.status().status),
    }),
  })
  mirror.onFault((fault) => metrics.sourceFailed(fault))
  mirror.onPublish((report) => {
    capturedAtMs = clock.nowMs() - report.captureToSwapMs
    frameBytes = report.frameBytes
    metrics.published(report.captureToSwapMs / 1000)
  })
  return metrics
}

export function createService(options: ServiceOptions): Service {
  const { supply, clock, version, cadenceMs, idleAfterMs, collectors, allowedHosts, history, log } = options
  const mirror = new Mirror({ supply, clock, cadenceMs, idleAfterMs, log })
  const metrics = metricsOf(mirror, clock, version)
  const server = new HttpServer({
    mirror,
    clock,
    today: () => new Date(),
    bootId: randomBytes(6).toString('base64url'),
    allowedHosts,
    sources: {
      mirrorStatus: () => mirror.status(),
      series: { paths: (prefix) => history().paths(prefix), series: (path) => history().series(path) },
      declaredMetrics: encodedFamilies(new Map([...declaredFamilies(collectors), ...metrics.declared])),
      ownMetrics: (names) => metrics.text(names),
      openApi: openApiRepresentation(),
      landing: landingPage(),
    },
    answered: (route, status, seconds, bytes) => metrics.answered(route, status, seconds, bytes),
    log,
  })
  return { mirror, server }
}
