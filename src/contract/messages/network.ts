export const networkMessages = {
  'event.link-saturated': '{link} is full: {load} of {capacity} Gbit/s.',
  'event.link-recovered': '{link} has room again at {load} Gbit/s.',
} as const
