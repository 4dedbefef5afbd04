import type { PostedAlert } from './alertmanager.ts'

const target = { job: 'dcsim', instance: 'mirror:9740', session: 'small-1' }
const dashboard = 'http://127.0.0.1:3000/d/dcsim-incident?var-session=small-1&var-instance=mirror%3A9740'

export const posted = (
  labels: Readonly<Record<string, string>>,
  summary: string,
  description: string,
  [startMs, endMs]: readonly [startMs: number, endMs: number],
): PostedAlert => ({
  labels: { ...target, ...labels },
  annotations: {
    summary,
    description,
    dashboard_url: dashboard,
    runbook_url: `http://127.0.0.1:9740/runbooks/${labels['alertname']}`,
  },
  startsAt: new Date(startMs).toISOString(),
  endsAt: new Date(endMs).toISOString(),
})

/** Long enough that the alert does not end during a test. */
export const open = 600_000
