import type { OpenTarget } from './target.ts'
import { openActions } from './targets/actions.ts'
import { openArchive } from './targets/archive.ts'
import { openHttp } from './targets/http.ts'
import { openRecording } from './targets/recording.ts'
import { openSessions } from './targets/sessions.ts'
import { openState } from './targets/state.ts'
import { openTables } from './targets/tables.ts'
import { openUpstream } from './targets/upstream.ts'

export const targets: Readonly<Record<string, OpenTarget>> = {
  http: openHttp,
  upstream: openUpstream,
  recording: openRecording,
  tables: openTables,
  sessions: openSessions,
  state: openState,
  actions: openActions,
  archive: openArchive,
}
