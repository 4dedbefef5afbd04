export const questMessages = {
  'quest.first-light.title': 'First light',
  'quest.first-light.blurb': 'Have {customers} customers served at the same time.',
} as const
