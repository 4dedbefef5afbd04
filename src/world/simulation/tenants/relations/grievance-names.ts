/** What customers hold against the company. What they have lived through fades over weeks. */
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
