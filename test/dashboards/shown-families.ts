/** Families that no panel and no alert reads, by reason. */
export const familiesNotShown: Readonly<Record<string, readonly string[]>> = {
  'A total of bytes: graphs show the traffic now, totals are for reports.': [
    'gateway',
    'host',
    'switch',
  ].flatMap((device) => [`dcsim_${device}_receive_bytes_total`, `dcsim_${device}_transmit_bytes_total`]),
  'The collector of ports is off by default; Device and Host read the table of ports.': [
    'dcsim_port_active dcsim_port_capacity_bytes_per_second dcsim_port_errors_total',
    'dcsim_port_link_flaps_total dcsim_port_receive_bytes_per_second',
    'dcsim_port_receive_bytes_total dcsim_port_transmit_bytes_per_second',
    'dcsim_port_transmit_bytes_total dcsim_port_up',
  ].flatMap((line) => line.split(' ')),
  'Growth reads the table of what wears out, which follows from it.': ['dcsim_host_condition_ratio'],
  'Labeled cases compare it between two worlds.': ['dcsim_appliance_inspection_saturated'],
  'It says how much the archive keeps, which /tables/worlds and docs/archive.md describe.': [
    'dcsim_mirror_archive_errors_total',
    'dcsim_mirror_archive_oldest_timestamp_seconds',
    'dcsim_mirror_archive_rows',
    'dcsim_mirror_archive_size_bytes',
  ],
  'Beside the number of all hosts it is what a query of one’s own asks for first; pages count by zone and pool.':
    ['dcsim_hosts_online'],
  'It is 0 for as long as the world is made, as /health says.': ['dcsim_mirror_world_ready'],
}
