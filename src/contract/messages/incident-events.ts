/** Events of incidents, and of the equipment that causes them. */
export const incidentEventMessages = {
  'event.incident-opened': 'Incident {incident} opened: {what}',
  'event.incident-opened-as': 'Incident {incident} opened as {band}.',
  'event.incident-raised': 'Incident {incident} rose from {from} to {to}: {why}.',
  'event.incident-lowered': 'Incident {incident} fell from {from} to {to}.',
  'event.cause-confirmed': 'Incident {incident}: cause confirmed. {cause}',
  'event.incident-resolved': 'Incident {incident} is resolved after {minutes}.',
  'event.part-failed': '{what}',
  'event.part-restored': '{part} in {place} is healthy again.',
  'event.power-lost': 'There is no voltage on {feed}.',
  'event.zone-dark': '{zone} is without power: both feeds are dead, and {hosts} hosts are down.',
  'event.power-restored': 'Voltage is back on {feed}.',
  'event.attack-started': '{customer} is under attack.',
  'event.attack-ended': 'The attack on {customer} has ended.',
  'event.breach': 'Intruders broke into the systems of {customer}.',
} as const
