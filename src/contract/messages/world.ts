export const worldMessages = {
  'event.day-started': 'Day {day} starts with {hosts} hosts and {customers} customers.',
  'event.occasion': 'Demand changes with the date: {occasion}.',
  'event.world-started': 'The world started with {hosts} hosts and {customers} customers.',
} as const
