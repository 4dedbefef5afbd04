/** Families that a convention does not hold for; a name that ends in `*` stands for all that begin so. */
export interface Exception {
  readonly families: readonly string[]
  readonly because: string
}

interface Convention {
  readonly rule: string
  readonly exceptions: readonly Exception[]
}

const ofPromClient = 'prom-client names its default metrics so, and existing dashboards know them.'

/** Prometheus's guidelines for exporters as families keep them. docs/metrics.md lists them; a test checks each. */
export const conventions = {
  prefix: {
    rule: 'The name begins with `dcsim_`.',
    exceptions: [{ families: ['process_*', 'nodejs_*'], because: ofPromClient }],
  },
  help: { rule: 'The help is a sentence.', exceptions: [] },
  unit: {
    rule: 'A family has one unit, in which its name ends, before `_total`. A family without one counts things, or is 0 or 1.',
    exceptions: [],
  },
  base_unit: {
    rule: 'Units are base units: seconds, bytes, ratios instead of percent, degrees Celsius, watts, dollars, virtual CPUs, and what is counted per second.',
    exceptions: [
      {
        families: [
          'dcsim_appliance_cost_dollars_per_month',
          'dcsim_az_cost_dollars_per_month',
          'dcsim_gateway_cost_dollars_per_month',
          'dcsim_pool_cost_dollars_per_month',
          'dcsim_prospect_revenue_dollars_per_month',
          'dcsim_switch_cost_dollars_per_month',
        ],
        because: 'Bills and contracts are monthly: per second, the amounts would be hard to read.',
      },
      {
        families: [
          'dcsim_incident_revenue_at_risk_dollars_per_hour',
          'dcsim_incidents_revenue_at_risk_dollars_per_hour',
        ],
        because: 'The price of an outage is known by the hour.',
      },
    ],
  },
  total: { rule: 'Counters, and they alone, end in `_total`.', exceptions: [] },
  info: {
    rule: 'A family that is always 1 and carries names in its labels ends in `_info`, and no other does.',
    exceptions: [],
  },
  boolean: {
    rule: 'A family whose help begins with “Whether”, and one that ends in `_up`, is 0 or 1.',
    exceptions: [],
  },
  state: {
    rule: 'An enumeration has a sample for each state, under the label `state`: 1 for the one that holds, 0 for the others.',
    exceptions: [],
  },
  quantile: {
    rule: 'The quantiles of a summary differ in its label `quantile`, never in name.',
    exceptions: [
      {
        families: [
          'nodejs_eventloop_lag_p50_seconds',
          'nodejs_eventloop_lag_p90_seconds',
          'nodejs_eventloop_lag_p99_seconds',
        ],
        because: ofPromClient,
      },
    ],
  },
  instant: {
    rule: 'An instant ends in `_sim_timestamp_seconds` if it is simulated time since the world began, in `_timestamp_seconds` if it is Unix time.',
    exceptions: [
      {
        families: ['process_start_time_seconds'],
        because: 'The client libraries of Prometheus name it so.',
      },
    ],
  },
  labels: {
    rule: 'No label carries the unit, and no name repeats a label.',
    exceptions: [
      {
        families: ['dcsim_customers_by_lifecycle', 'dcsim_units_unplaced_by_lack'],
        because: 'The name without this is the number of all, from another collector.',
      },
    ],
  },
} as const satisfies Record<string, Convention>

export type ConventionName = keyof typeof conventions

/** The families of exceptions, by convention. */
export const exceptionsOf = (name: ConventionName): readonly Exception[] => conventions[name].exceptions
