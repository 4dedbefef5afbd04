import type { metricTypes } from '../../contract/vocabularies.ts'

/** The metadata of a family, as in its HELP and TYPE lines, at /api/v1/metrics and in docs/metrics.md. */
export interface FamilyDeclaration<L extends string = string> {
  readonly type: (typeof metricTypes)[number]
  /** Base unit, equal to the name's ending; empty for a plain number. */
  readonly unit: string
  readonly help: string
  readonly labels: readonly L[]
}

const declare = <const L extends string = never>(
  type: FamilyDeclaration['type'],
  unit: string,
  help: string,
  labels: readonly L[] = [],
): FamilyDeclaration<L> => ({ type, unit, help, labels })

/** The mirror's own families, besides prom-client's default metrics of the process and Node. */
export const mirrorFamilies = {
  dcsim_mirror_build_info: declare('gauge', '', 'Always 1; the labels say what runs.', ['version', 'node']),
  dcsim_mirror_world_ready: declare('gauge', '', 'Whether a world has been published.'),
  dcsim_mirror_publishing_paused: declare(
    'gauge',
    '',
    'Whether publishing is paused because no client reads.',
  ),
  dcsim_mirror_publishes_total: declare('counter', '', 'Publishes since the service started.'),
  dcsim_mirror_publish_duration_seconds: declare(
    'histogram',
    'seconds',
    'Wall time from asking for a snapshot to having it in place.',
  ),
  dcsim_mirror_snapshot_age_seconds: declare(
    'gauge',
    'seconds',
    'Wall time since the state that is served was captured.',
  ),
  dcsim_mirror_frame_size_bytes: declare('gauge', 'bytes', 'Encoded size of the snapshot that is served.'),
  dcsim_mirror_source_up: declare('gauge', '', 'Whether the source answered the last time it was asked.'),
  dcsim_mirror_source_errors_total: declare(
    'counter',
    '',
    'Publishes that failed at the source, by what was wrong.',
    ['reason'],
  ),
  dcsim_mirror_world_replaced: declare(
    'gauge',
    '',
    'Whether a new world replaced the one in the session file in the last 15 minutes, by what did not match.',
    ['reason'],
  ),
  dcsim_mirror_state_saves_total: declare(
    'counter',
    '',
    'Attempts to save the world to the session file, by whether they succeeded.',
    ['result'],
  ),
  dcsim_mirror_archive_rows: declare('gauge', '', 'Records in the archive, by kind.', ['kind']),
  dcsim_mirror_archive_size_bytes: declare('gauge', 'bytes', 'Size of the archive.'),
  dcsim_mirror_archive_oldest_timestamp_seconds: declare(
    'gauge',
    'seconds',
    'Wall time at which the oldest record in the archive happened.',
  ),
  dcsim_mirror_archive_errors_total: declare(
    'counter',
    '',
    'Writes and reads of the archive that failed, records that were damaged, and changes that were dropped.',
  ),
  dcsim_mirror_http_requests_total: declare('counter', '', 'Requests answered, by route and status code.', [
    'route',
    'code',
  ]),
  dcsim_mirror_http_request_duration_seconds: declare(
    'histogram',
    'seconds',
    "Wall time from the request's head to the end of the response.",
    ['route'],
  ),
  dcsim_mirror_http_response_bytes_total: declare('counter', 'bytes', 'Body bytes sent, as sent.', ['route']),
} as const

export type MirrorFamilyName = keyof typeof mirrorFamilies
