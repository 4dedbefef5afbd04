export const customerMessages = {
  'event.customer-signed': '{customer} signed a {tier} contract. It {character}.',
  'event.customer-live': '{customer} is live with {units} units.',
  'event.customer-renewed': '{customer} renewed its contract for a year. Its prices fall by {percent} %.',
  'event.customer-renewed-dearer':
    '{customer} renewed its contract for a year. Its prices rise by {percent} %.',
  'event.customer-renewed-alike': '{customer} renewed its contract for a year at the same prices.',
  'event.customer-grew': '{customer} grew from {before} to {after} units. Reason: {reason}.',
  'event.customer-shrank': '{customer} shrank from {before} to {after} units. Reason: {reason}.',
  'event.customer-boosted': '{customer} has up to {percent} % more users than usual. Reason: {reason}.',
  'event.customer-complained': '{customer} complained about {about}.',
  'event.complaint-answered': '{customer} got an answer to its complaint.',
  'event.customer-on-probation':
    '{customer} will give notice on day {day} unless its service improves. Reason: {reason}.',
  'event.customer-reconciled': '{customer} is satisfied again and stays.',
  'event.customer-leaving': '{customer} gave notice. Reason: {reason}.',
  'event.customer-evicted': 'We ended the contract of {customer}: {reason}. It cost ${dollars}.',
  'event.customer-left': '{customer} left after {days} days. Reason: {reason}.',
  'event.service-unplaced': '{customer}: there is no host for {gap} of its {service} units ({where}).',
  'event.growth-waits':
    '{customer} wants to grow from {before} to {after} units, but there is no host for {gap} of its {service} units ({where}). Reason: {reason}.',
  'event.growth-called-off':
    '{customer} called off its growth, as no host could take it. Units given up: {gap}.',
  'event.service-placed': '{customer}: every {service} unit is placed, {units} in all.',
  'event.prospect-arrived': '{prospect} asks for a {tier} plan for {units} units.',
  'event.prospect-recommended':
    '{prospect}, recommended by {customer}, asks for a {tier} plan for {units} units.',
  'event.prospect-returned':
    '{prospect}, which left on day {day}, asks for a {tier} plan for {units} units again.',
  'event.prospect-expired': '{prospect} went elsewhere. Reason: {reason}.',
  'event.sla-credited': '{customer} was credited ${dollars} for {reason}.',
} as const
