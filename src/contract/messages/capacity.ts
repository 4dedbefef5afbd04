export const capacityMessages = {
  'event.capacity-ordered': 'Ordered {what} for ${dollars}, delivery in {days} days: {because}.',
  'event.capacity-delivered': 'Delivered after {days} days: {what}.',
  'event.capacity-misdelivered':
    'The delivery of {what} goes back: {mistake}. Another one is due in {days} days.',
  'event.capacity-added': 'In service {days} days after the order: {what}.',
  'event.capacity-unaffordable':
    'Cannot afford {what}: ${dollars} needed, ${available} available. It is needed because {because}.',
  'event.capacity-waits':
    '{what} waits for the {refusal} on order, unless there is room elsewhere before. It is needed because {because}.',
  'event.capacity-without-room': 'No room for {what}. It is needed because {because}.',
  'event.capacity-without-power':
    'No power for {what}: the grid connection is at its limit. It is needed because {because}.',
  'event.hardware-renewed': 'Replaced the old {host} with a {model}, and sold the old one for ${dollars}.',
  'event.sale-planned': 'Plans to sell {what} in {days} days: {because}.',
  'event.sale-called-off': 'Keeps {what}, which was to be sold: {because}.',
  'event.hardware-sold': 'Sold {what} for ${dollars}: {because}.',
  'event.hardware-sold-early': 'Sold {what} for ${dollars}, of which ${owed} was still owed: {because}.',
  'event.hardware-sold-at-loss':
    'Sold {what} for ${dollars}, at a loss of ${loss} against what was still owed: {because}.',
  'event.technician-found': 'Hired {what} for ${dollars}, to start in {days} days: {because}.',
  'event.staff-hired': '{name} starts as a technician for {skill}.',
} as const
