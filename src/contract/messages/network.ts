export const networkMessages = {
  'event.link-saturated': '{link} is saturated: {load} of {capacity} Gbit/s.',
  'event.link-recovered': '{link} is no longer saturated: {load} Gbit/s.',
} as const
