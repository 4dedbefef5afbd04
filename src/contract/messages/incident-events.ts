/** What incidents, and the parts behind them, announce. */
export const incidentEventMessages = {
  'event.incident-opened': 'Incident {incident} opened: {what}',
  'event.incident-raised': 'Incident {incident} rose from {from} to {to}: {why}.',
  'event.incident-lowered': 'Incident {incident} fell from {from} to {to}.',
  'event.cause-confirmed': 'Incident {incident} is explained: {cause}',
  'event.incident-resolved': 'Incident {incident} is over after {minutes} min.',
  'event.part-failed': '{what}',
  'event.part-restored': '{part} in {place} is well again.',
  'event.power-lost': 'The {feed} is dead.',
  'event.power-restored': 'The {feed} is live again.',
  'event.attack-started': '{customer} is being attacked.',
  'event.attack-ended': 'The attack on {customer} has ebbed away.',
  'event.breach': 'Intruders got into the systems of {customer}.',
} as const
