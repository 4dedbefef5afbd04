/** The chapters of the company: what begins, continues or ends over weeks and months. */
export const chapterMessages = {
  'event.zone-announced':
    'The company announces {zone}, a new zone for {places} hosts: ${dollars} in {instalments} installments, open in about {months} months. Reason: {reason}.',
  'event.zone-stage': '{zone}: {stage}. An installment of ${dollars} is paid.',
  'event.zone-delayed': 'The opening of {zone} moves by {days} days: {reason}.',
  'event.zone-paused':
    'Work on {zone} pauses: the next installment is ${dollars}, and reserves are ${reserves}.',
  'event.zone-opened':
    '{zone} opens {days} days after its announcement, with {hosts} hosts and room for {places}.',
  'event.zone-settled':
    'Four weeks after its opening, {zone} runs {units} units of {customers} customers, {before} of whom were there before it.',
  'event.generation-released':
    'A new generation of hosts is on sale: {model} has {percent} % more CPU than {before}, in the same height and with the same power.',
  'event.prices-lowered': 'List prices fall by {percent} %: {reason}.',
  'event.prices-lifted': 'List prices rise by {percent} %: {reason}.',
  'event.prices-raised': 'All customers pay {percent} % more from today: reserves cover {days} days of cost.',
  'event.loan-taken': '{lender} lends the company ${dollars} for {months} months: {reason}.',
  'event.loan-repaid': 'The company has paid back the loan of {lender}.',
  'event.spending-cut':
    'The company loses ${dollars} an hour. It stops hiring, and replaces only what is worn out, until it earns money again.',
  'event.company-recovered':
    'The company is sound again after {days} days: reserves cover {reserve} days of cost.',
  'event.pool-closed': 'To save money, pool {pool} is cut back: its {hosts} empty hosts are for sale.',
  'event.company-sold':
    '{owner} takes over the company from {before}, pays off its debts, adds ${dollars}, and will invest ${program}.',
  'event.capital-added':
    '{owner} put ${dollars} into the company, which could not pay for what it needs for {days} days.',
  'event.program-approved':
    '{owner} approved investments of ${dollars}, which the margin alone does not carry. Nothing was ordered for {days} days.',
  'event.dividend-paid': '{owner} took a dividend of ${dollars}; reserves of ${reserves} remain.',
  'event.year-closed':
    'A business year ends: revenue of ${revenue}, earnings of ${earnings}, {customers} customers on {hosts} hosts.',
  'event.conference-announced':
    'The company invites its customers to a conference in {days} days. Speakers: {customers}.',
  'event.conference-held':
    'The conference brought {guests} guests. More prospects will ask in the next weeks.',
  'event.advertising-began':
    'The company advertises for {days} days, for ${dollars}: its pools are {percent} % full.',
  'event.advertising-ended':
    'The advertising of the last four weeks is over. Customers who signed meanwhile: {customers}.',
  'event.course-began': 'Technicians learn a second skill over the next {days} days: {names}.',
  'event.course-ended': 'The course for technicians is over. With a second skill now: {technicians}.',
  'event.audit-began':
    'Auditors of the customers look at service, power and staff over the next {days} days.',
  'event.audit-passed': 'The auditors of the customers object to nothing, and prospects hear of it.',
  'event.audit-objected': 'The auditors of the customers object: {findings}.',
  'event.account-courted':
    '{customer} ({kind}) negotiates a {tier} contract over {units} units, worth ${dollars} a month. It decides in about {days} days.',
  'event.account-won': '{customer} chose us: {units} units move in, {percent} % of what all customers run.',
  'event.account-lost': '{customer} decided against us. Reason: {reason}.',
  'event.account-leaving':
    '{customer}, which brings {percent} % of the revenue, moves out over the next {days} days. Reason: {reason}.',
  'event.warm-spell': 'Hot air reaches {region}: {degrees} °C above what is usual for the date.',
  'event.cold-spell': 'Cold air reaches {region}: {degrees} °C below what is usual for the date.',
  'event.weather-passed': 'The weather in {region} is as usual again after {days} days.',
  'event.thunderstorm': 'A thunderstorm reaches {region}. The grid and the lines of carriers are at risk.',
  'event.gale': 'A gale reaches {region}. The grid and the lines of carriers are at risk.',
  'event.storm-passed': 'The storm in {region} has passed after {hours}.',
  'event.staff-left': '{name}, technician for {skill}, leaves after {months} months: {reason}.',
  'event.staff-trained': '{name}, technician for {skill}, has learned {second} as well.',
} as const
