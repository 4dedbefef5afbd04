/** Runs in the browser: updates the status while the page is visible, and shows the address it was loaded from. Links keep the session. */
export const script = `
'use strict'
const text = (id, value) => { document.getElementById(id).textContent = value }
const simulated = (ns) => {
  const minutes = Math.floor(ns / 6e10), two = (n) => String(n).padStart(2, '0')
  return 'day ' + Math.floor(minutes / 1440) + ', ' + two(Math.floor(minutes / 60) % 24) + ':' + two(minutes % 60)
}
async function refresh() {
  if (document.hidden) return
  try {
    const health = await (await fetch('/health' + location.search)).json()
    document.getElementById('status').className = health.status
    text('status', health.status)
    text('reason', health.reason)
    text('age', health.age_ms + ' ms')
    text('seq', health.publish_seq)
    text('sim', simulated(health.meta.sim_time_ns))
  } catch {
    document.getElementById('status').className = 'stale'
    text('status', 'gone')
    text('reason', 'The service does not answer.')
  }
}
for (const place of document.querySelectorAll('.origin')) place.textContent = location.origin
for (const link of document.links) link.search = location.search
setInterval(refresh, 1000)
void refresh()
`
