export const workMessages = {
  'event.work-started': '{actor} began: {work}.',
} as const
