/** The grievances of customers against the company. Those from past experience fade over weeks. */
export const grievances = [
  'failures',
  'latency',
  'breach',
  'redundancy',
  'capacity',
  'requirements',
  'price',
] as const
export type Grievance = (typeof grievances)[number]
