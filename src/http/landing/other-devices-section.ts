/** How to open the dashboards, or this page where there are none, on another machine: the address, also as a QR code. */
import { renderSVG } from 'uqr'
import { isOfThisMachine } from '../requests/host-names.ts'
import { xmlText } from '../../pictures/svg.ts'

interface Addresses {
  readonly mirror: string | null
  readonly grafana: string | null
}

export function otherDevicesSection({ mirror, grafana }: Addresses): string {
  const address = grafana ?? mirror
  const content =
    address === null || isOfThisMachine(address)
      ? '<p class="soft">This machine alone reaches this page. In the stack, <code>DCSIM_HOST</code> in <code>.env</code> names an address for others; without it, <code>--listen</code>.</p>'
      : `<p><a href="${xmlText(address)}">${xmlText(address)}</a></p>\n${renderSVG(address, { border: 2 })}`
  return `<section id="elsewhere" aria-labelledby="elsewhere-title"><h2 id="elsewhere-title">On a tablet or a phone</h2>
${content}</section>
`
}

export const otherDevicesStyle = `
#elsewhere svg { display: block; width: 11rem; max-width: 100%; height: auto; border-radius: .5rem; }
[hidden] { display: none !important; }
`

/** Part of the page's script: on another machine, takes away what leads nowhere there, or is done. */
export const otherDevicesScript = `
const isHere = (name) => /^(localhost|127\\..*|\\[::1\\])$/.test(name)
if (!isHere(location.hostname)) {
  place('elsewhere').hidden = true
  for (const link of document.querySelectorAll('.programs a')) link.closest('li').hidden = isHere(link.hostname)
  if (leads.grafana && isHere(new URL(leads.grafana).hostname)) leads.grafana = null
}
`
