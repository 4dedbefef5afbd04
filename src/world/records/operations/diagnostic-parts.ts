import type { Collections, DiagnosticsRecord } from '../../../contract/collections.ts'

type Part = DiagnosticsRecord['failing_parts'][number]

/** A part below this condition counts as worn. */
const wornPct = 15

/** Broken and worn parts as the other records show them: broken ones first, then the most worn. */
export function failingParts(collections: Collections): Part[] {
  const found: Part[] = []
  addHosts(found, collections)
  addNetworkDevices(found, collections)
  addFacility(found, collections)
  for (const panel of collections.patchPanels) {
    if (panel.condition_pct >= wornPct) continue
    const label = `patch panel ${panel.id}`
    found.push(part('PatchPanel', panel.id, label, false, panel.condition_pct, 'worn'))
  }
  return found.toSorted((a, b) => Number(b.failed) - Number(a.failed) || a.condition_pct - b.condition_pct)
}

const part = (
  entity_kind: Part['entity_kind'],
  entity_id: Part['entity_id'],
  label: string,
  failed: boolean,
  condition_pct: number,
  symptom: string,
): Part => ({ entity_kind, entity_id, label, failed, condition_pct, symptom })

function addHosts(found: Part[], { hosts }: Collections): void {
  for (const host of hosts) {
    const failed = host.inv_status === 'Failed'
    const fans = host.visual.fan === 'Failed'
    if (!failed && !fans && host.condition_pct >= wornPct) continue
    const symptom = failed ? 'does not respond' : fans ? 'fan stopped' : 'worn'
    found.push(part('Host', host.id, host.display_name_plain, failed || fans, host.condition_pct, symptom))
  }
}

function addNetworkDevices(found: Part[], { switches, gateways, appliances, cables }: Collections): void {
  for (const device of switches) {
    const failed = device.inv_status === 'Failed'
    if (!failed && device.condition_pct >= wornPct) continue
    const symptom = failed ? 'does not respond' : 'worn'
    found.push(part('Switch', device.id, device.display_name_plain, failed, device.condition_pct, symptom))
  }
  for (const gateway of gateways) {
    if (gateway.inv_status !== 'Failed') continue
    found.push(part('Gateway', gateway.id, gateway.display_name_plain, true, 0, 'does not respond'))
  }
  for (const appliance of appliances) {
    if (appliance.inv_status !== 'Failed') continue
    found.push(part('Appliance', appliance.id, appliance.display_name_plain, true, 0, 'does not respond'))
  }
  for (const cable of cables) {
    if (cable.is_failed) found.push(part('Cable', cable.id, `cable ${cable.id}`, true, 0, 'no light'))
  }
}

function addFacility(found: Part[], { azs }: Collections): void {
  for (const zone of azs) {
    for (const feed of zone.power_feeds) {
      if (feed.powered) continue
      found.push(part('PowerFeed', feed.id, `feed ${feed.feed} of ${zone.display_name}`, true, 0, 'no power'))
    }
    for (const unit of zone.cooling_units) {
      if (unit.working && unit.condition_pct >= wornPct) continue
      const symptom = unit.working ? 'worn' : 'not running'
      found.push(part('CoolingUnit', unit.id, unit.name, !unit.working, unit.condition_pct, symptom))
    }
  }
}
