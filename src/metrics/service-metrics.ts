import { archivedKinds } from '../contract/archive.ts'
import type { ArchiveFigures } from '../contract/archive.ts'
import { sourceFaultNames } from '../contract/source-faults.ts'
import type { SourceFault } from '../contract/source-faults.ts'
import { worldReplacementReasons } from '../contract/session-report.ts'
import type { SessionReport, WorldReplacementReason } from '../contract/session-report.ts'
import type { ExpositionChunk } from '../contract/exposition-chunk.ts'
import { MetricsText } from './client-library.ts'
import type { Sample } from './client-library.ts'
import type { FamilyDeclaration, MirrorFamilyName } from './declaration/mirror-families.ts'
import { DurationHistogram, RequestMetrics } from './request-metrics.ts'

/** The state of the mirror, exposed as gauges. */
interface MirrorGauges {
  readonly worldReady: boolean
  readonly paused: boolean
  readonly ageSeconds: number
  readonly frameBytes: number
  readonly sourceUp: boolean
}

interface ServiceMetricsOptions {
  readonly version: string
  /** Null for a mirror without an archive, or before its first record. */
  readonly archive?: () => ArchiveFigures | null
  readonly gauges: () => MirrorGauges
  readonly nowMs: () => number
}

/** Scrapes within this time of each other share an exposition: rendering it takes about a millisecond. */
export const expositionMaxAgeMs = 200

const publishBuckets = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
/** The time for which a replaced world is reported, so that an alert on it ends. */
const replacementShownMs = 15 * 60_000

const sole = (value: number | boolean): Sample[] => [{ labels: {}, value: Number(value) }]
const samplesBy = <K extends string>(
  label: string,
  keys: readonly K[],
  valueOf: (key: K) => number,
): Sample[] => keys.map((key) => ({ labels: { [label]: key }, value: valueOf(key) }))

/** The service's own metrics. */
export class ServiceMetrics {
  readonly #nowMs: () => number
  readonly #requests = new RequestMetrics()
  readonly #text: MetricsText
  /** Families by name, those of the process and Node included. */
  readonly declared: ReadonlyMap<string, FamilyDeclaration>
  readonly requestAnswered = this.#requests.answered
  readonly #publishDurations = new DurationHistogram(publishBuckets)
  readonly #sourceErrors = new Map<SourceFault, number>()
  readonly #saves = { success: 0, failure: 0 }
  #publishes = 0
  /** Of threads of the archive that have ended, too. */
  #archiveErrors = 0
  #replacedFor: WorldReplacementReason | null = null
  #replacedMs = 0
  #rendered: Promise<readonly ExpositionChunk[]> = Promise.resolve([])
  #renderedMs = -Infinity

  constructor(options: ServiceMetricsOptions) {
    this.#nowMs = options.nowMs
    this.#text = new MetricsText(this.#samplesOf(options))
    this.declared = this.#text.declared()
  }

  published(seconds: number): void {
    this.#publishes++
    this.#publishDurations.observe(seconds)
  }

  sourceFailed(fault: SourceFault): void {
    this.#sourceErrors.set(fault, (this.#sourceErrors.get(fault) ?? 0) + 1)
  }

  stateReported(report: SessionReport): void {
    if (report.kind === 'saved') this.#saves.success++
    if (report.kind === 'not-saved') this.#saves.failure++
    if (report.kind !== 'opened' || report.replacedFor === null) return
    this.#replacedFor = report.replacedFor
    this.#replacedMs = this.#nowMs()
  }

  /** All families in the order of their names. */
  exposition(): Promise<readonly ExpositionChunk[]> {
    const now = this.#nowMs()
    if (now - this.#renderedMs >= expositionMaxAgeMs) {
      this.#renderedMs = now
      this.#rendered = this.#render()
    }
    return this.#rendered
  }

  async #render(): Promise<readonly ExpositionChunk[]> {
    const texts = await this.#text.render()
    return Array.from(this.declared.keys(), (family) => ({ family, bytes: Buffer.from(texts.get(family)!) }))
  }

  #samplesOf({
    version,
    gauges,
    archive = () => null,
  }: ServiceMetricsOptions): Readonly<Record<MirrorFamilyName, () => readonly Sample[]>> {
    const duration = 'dcsim_mirror_http_request_duration_seconds'
    const publishDuration = 'dcsim_mirror_publish_duration_seconds'
    const isReplaced = (reason: string): boolean =>
      reason === this.#replacedFor && this.#nowMs() < this.#replacedMs + replacementShownMs
    return {
      dcsim_mirror_build_info: () => [{ labels: { version, node: process.version }, value: 1 }],
      dcsim_mirror_world_ready: () => sole(gauges().worldReady),
      dcsim_mirror_publishing_paused: () => sole(gauges().paused),
      dcsim_mirror_publishes_total: () => sole(this.#publishes),
      [publishDuration]: () => this.#publishDurations.samples(publishDuration),
      dcsim_mirror_snapshot_age_seconds: () => sole(gauges().ageSeconds),
      dcsim_mirror_frame_size_bytes: () => sole(gauges().frameBytes),
      dcsim_mirror_source_up: () => sole(gauges().sourceUp),
      dcsim_mirror_source_errors_total: () =>
        samplesBy('reason', sourceFaultNames, (fault) => this.#sourceErrors.get(fault) ?? 0),
      dcsim_mirror_world_replaced: () =>
        samplesBy('reason', worldReplacementReasons, (reason) => Number(isReplaced(reason))),
      dcsim_mirror_state_saves_total: () =>
        samplesBy('result', ['success', 'failure'], (result) => this.#saves[result]),
      dcsim_mirror_archive_rows: () => samplesBy('kind', archivedKinds, (kind) => archive()?.rows[kind] ?? 0),
      dcsim_mirror_archive_size_bytes: () => sole(archive()?.bytes ?? 0),
      dcsim_mirror_archive_oldest_timestamp_seconds() {
        const seconds = archive()?.oldestSeconds ?? null
        return seconds === null ? [] : sole(seconds)
      },
      dcsim_mirror_archive_errors_total: () =>
        sole((this.#archiveErrors = Math.max(this.#archiveErrors, archive()?.errors ?? 0))),
      dcsim_mirror_http_requests_total: () =>
        this.#requests.samples(({ labels, byCode }) =>
          Array.from(byCode, ([code, value]) => ({ labels: { ...labels, code }, value })),
        ),
      [duration]: () =>
        this.#requests.samples(({ labels, durations }) => durations.samples(duration, labels)),
      dcsim_mirror_http_response_bytes_total: () =>
        this.#requests.samples(({ labels, bytes }) => [{ labels, value: bytes }]),
    }
  }
}
