/** Composes the service over a supply of frames: mirror, service metrics, HTTP server. */
import { randomBytes } from 'node:crypto'
import type { Clock } from './contract/clock.ts'
import { encodeFamilies } from './http/resources/declared-metrics.ts'
import { landingRepresentation } from './http/landing/landing-representation.ts'
import type { ProgramLinks } from './http/landing/landing-representation.ts'
import { llmsRepresentation } from './http/llms-representation.ts'
import { openApiRepresentation } from './http/openapi/document.ts'
import { createRunbookPages } from './http/runbooks/runbook-pages.ts'
import { HttpServer } from './http/server.ts'
import type { CollectorName } from './metrics/declaration/collectors.ts'
import { declaredFamilies } from './metrics/declaration/family-index.ts'
import { ServiceMetrics } from './metrics/service-metrics.ts'
import type { HistoryReader } from './metrics/history/history-reader.ts'
import type { FrameSupply } from './mirror/frame-supply.ts'
import { Mirror } from './mirror/mirror.ts'
import { ownRunbooks } from './process/package-files.ts'
import type { TablesClient } from './tables/thread/tables-client.ts'

interface ServiceOptions {
  readonly supply: FrameSupply
  readonly clock: Clock
  readonly version: string
  /** The name of the session; empty for a session without one. */
  readonly session?: string
  /** Programs that the landing page links to. */
  readonly links?: ProgramLinks
  readonly cadenceMs: number
  readonly idleAfterMs: number
  /** The enabled collectors in the supply's exposition. */
  readonly collectors: readonly CollectorName[]
  /** Allowed host names besides those of the loopback. */
  readonly allowedHosts: readonly string[]
  readonly connectionsMax?: number | undefined
  /** The reader of the current history. */
  readonly history: () => HistoryReader
  /** The thread that makes tables and pictures and keeps the archive, if there is one. */
  readonly tables: TablesClient
  /** Logs an error in one line. */
  readonly log: (line: string) => void
}

export interface Service {
  readonly mirror: Mirror
  readonly server: HttpServer
}

function observeMirror(mirror: Mirror, clock: Clock, version: string, tables: TablesClient): ServiceMetrics {
  let capturedAtMs: number | null = null
  let frameBytes = 0
  const metrics = new ServiceMetrics({
    version,
    nowMs: clock.nowMs,
    archive: () => tables.figures,
    gauges: () => ({
      worldReady: capturedAtMs !== null,
      paused: mirror.status().status === 'idle',
      ageSeconds: capturedAtMs === null ? 0 : (clock.nowMs() - capturedAtMs) / 1000,
      frameBytes,
      sourceUp: ['ok', 'idle'].includes(mirror.status().status),
    }),
  })
  mirror.onFault((fault) => metrics.sourceFailed(fault))
  mirror.onSessionReport((report) => metrics.stateReported(report))
  mirror.onPublish((report) => {
    capturedAtMs = clock.nowMs() - report.captureToSwapMs
    frameBytes = report.frameBytes
    metrics.published(report.captureToSwapMs / 1000)
  })
  return metrics
}

export function createService(options: ServiceOptions): Service {
  const {
    supply,
    clock,
    version,
    session = '',
    links,
    cadenceMs,
    idleAfterMs,
    collectors,
    allowedHosts,
    connectionsMax,
    history,
    tables,
    log,
  } = options
  const mirror = new Mirror({ supply, clock, cadenceMs, idleAfterMs, log })
  const metrics = observeMirror(mirror, clock, version, tables)
  const series: HistoryReader = {
    paths: (prefix, atNs) => history().paths(prefix, atNs),
    series: (path, atNs) => history().series(path, atNs),
  }
  const server = new HttpServer({
    mirror,
    clock,
    bootId: randomBytes(6).toString('base64url'),
    allowedHosts,
    connectionsMax,
    context: {
      session,
      mirrorStatus: () => mirror.status(),
      series,
      declaredMetrics: encodeFamilies(new Map([...declaredFamilies(collectors), ...metrics.declared])),
      ownExposition: () => metrics.exposition(),
      openApi: openApiRepresentation(version),
      landing: landingRepresentation(session, links),
      llms: llmsRepresentation(),
      runbooks: createRunbookPages(ownRunbooks(), session),
      tables,
    },
    onResponse: (route, status, seconds, bytes) => metrics.requestAnswered(route, status, seconds, bytes),
    log,
  })
  return { mirror, server }
}
