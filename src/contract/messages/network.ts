export const networkMessages = {
  'event.link-saturated': '{link} is full: {load} of {capacity} Gbit/s.',
} as const
