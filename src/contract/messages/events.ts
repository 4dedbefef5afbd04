export const eventMessages = {
  'event.world-started': 'The world began with {hosts} hosts and {customers} customers.',
} as const
