export const worldMessages = {
  'event.world-started': 'The world began with {hosts} hosts and {customers} customers.',
} as const
