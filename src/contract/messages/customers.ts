export const customerMessages = {
  'event.customer-signed': '{customer} signed a {tier} contract.',
} as const
