export const incidentMessages = {
  'incident.root.unknown': 'The cause is not known yet.',
} as const
