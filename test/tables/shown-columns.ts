/** Columns that nothing shows, by reason: `table.column`, or `*.column` of every table. */
export const columnsNotShown: Readonly<Record<string, string>> = {
  'It identifies the row, or what the row is part of.': `
    *.appliance_id *.cable_id *.customer_id *.gateway_id *.host_id *.incident_id *.order_id *.pool_id
    *.prospect_id *.quest_id *.rack_id *.switch_id *.unit_id *.zone_id`,
  'It names the row, its kind or its place.': `
    *.customer *.device *.rack *.zone appliances.appliance appliances.kind events.about events.kind facility.kind
    gateways.gateway hosts.model hosts.pool links.link pictures.picture pools.pool pools.zones rack.u series.path
    switches.role switches.switch`,
  'A sentence, or another table, says it too.': `
    customers.plan events.level hosts.services hosts.units incident-groups.band incident-groups.hit incidents.customers incidents.customer_names incidents.hosts
    incidents.place prospects.cpu_after_pct prospects.memory_after_pct prospects.disk_after_pct tasks.kind`,
  'It is too long for a page: programs read it.': 'causes.articles evidence.meaning',
  'Every table has a state and its severity.': '*.severity *.state',
  'A moment in ISO 8601 beside the one in words.': `
    *.at *.changed_at *.ends_at *.finished_at *.resolved_at *.started_at`,
  'Rows of incident-groups are made of it.': `
    incidents.cause_state incidents.hint`,
  'It says what runs, in which unit, and where a picture is.': `
    world.speed world.paused world.scenario series.unit pictures.meaning pictures.path`,
  'Runbooks send to the tables of zones, pools, hosts and incidents for what is scarce or hit there.': `
    *.contention *.cpu_used_pct *.disk_allocated_pct *.memory_allocated_pct pools.cpu_allocated_pct
    hosts.units incidents.hosts pools.gpu_slices_pct pools.hosts pools.hosts_online zones.cooling_pct zones.dropped_gbps
    zones.wan_pct`,
  'Runbooks send to the tables of network devices and cables for what is full or fails.': `
    *.addons *.fabric_load_pct *.forwarding_ceiling_gbps
    *.functions *.inspection *.inspection_load_pct *.power_feeds *.scrubbed_gbps
    *.wan_in_gbps *.wan_out_gbps links.capacity_gbps links.errors`,
  'Runbooks send to the table of customers for what was promised and credited.': `
    customers.availability_pct customers.credits_dollars`,
}
