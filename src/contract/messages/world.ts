export const worldMessages = {
  'event.world-started': 'The world started with {hosts} hosts and {customers} customers.',
} as const
