/**
 * Each kind of observation: its message; the predicate of several that are alike, behind their number; and the noun of
 * its title, where the words of its kind are not true enough. Symptoms of whole zones are single.
 */
const symptoms = {
  'host-silent': ['Host {name} in {place} does not respond.', 'hosts do not respond'],
  'hosts-silent': ['{value} hosts in {name} do not respond.', '', 'hosts down'],
  'hosts-overheated': ['{name} has overheated: {value} hosts are down.', '', 'hosts down'],
  'host-hot': ['Host {name} in {place} is running at {value} °C.', 'hosts run hot'],
  'host-fan': ['A fan in {name} in {place} has stopped.', 'hosts have a fan that has stopped', 'fan stopped'],
  'host-disk': [
    'An SSD in {name} in {place} reports unreadable blocks.',
    'hosts report unreadable blocks on an SSD',
    'failing SSD',
  ],
  'host-memory': [
    'Host {name} in {place} corrects {value} memory errors an hour.',
    'hosts correct memory errors',
    'memory errors',
  ],
  'host-clock': [
    'The clock of {name} in {place} is {value} s ahead.',
    'hosts have a wrong clock',
    'wrong clock',
  ],
  'host-supply': [
    'Host {name} in {place} reports a failed power supply.',
    'hosts run on one power supply',
    'power supply failed',
  ],
  'switch-silent': [
    'Switch {name} in {place} does not respond, and all its links are down.',
    'switches do not respond',
    'switch down',
  ],
  'switch-supply': [
    'Switch {name} in {place} reports a failed power supply.',
    'switches run on one power supply',
    'power supply failed',
  ],
  'switch-degraded': [
    'Switch {name} in {place} has {value} % of its fabric offline.',
    'switches have a part of their fabric offline',
    'fabric partly offline',
  ],
  'switch-dropping': ['Switch {name} in {place} is dropping {value} Gbit/s.', 'switches drop traffic'],
  'switch-storm': ['A broadcast storm floods switch {name} in {place}.', '', 'broadcast storm'],
  'switch-flooded': [
    'Broadcast frames flood switch {name} in {place}.',
    'switches are flooded by broadcast frames',
    'flood of broadcast frames',
  ],
  'gateway-silent': [
    'Gateway {name} in {place} does not respond.',
    'gateways do not respond',
    'gateway down',
  ],
  'gateway-withdrawn': [
    'Gateway {name} in {place} has withdrawn its routes.',
    'gateways have withdrawn their routes',
    'routes withdrawn',
  ],
  'gateway-throttled': [
    'Gateway {name} in {place} has lost {value} % of its forwarding capacity.',
    'gateways have lost forwarding capacity',
    'forwarding capacity lost',
  ],
  'gateway-dropping': ['Gateway {name} in {place} is dropping {value} Gbit/s.', 'gateways drop traffic'],
  'appliance-silent': [
    'Appliance {name} in {place} does not respond.',
    'appliances do not respond',
    'appliance down',
  ],
  'appliance-dropping': [
    'Appliance {name} in {place} is dropping {value} Gbit/s.',
    'appliances drop traffic',
  ],
  'link-down': ['Link {name} is down.', 'links are down'],
  'link-errors': ['Link {name} loses {value} % of its frames.', 'links lose frames'],
  'link-flapping': ['Link {name} is flapping.', 'links are flapping', 'flapping link'],
  'link-full': [
    'Link {name} is saturated and drops {value} Gbit/s.',
    'links are saturated',
    'saturated link',
  ],
  'feed-dead': ['There is no voltage on {name}.', '', 'no voltage'],
  'feed-on-battery': [
    'The UPS of {name} runs on its batteries, which last until about {value}.',
    '',
    'running on batteries',
  ],
  'cooling-stopped': [
    'Cooling unit {name} in {place} has stopped.',
    'cooling units have stopped',
    'cooling unit stopped',
  ],
  'zone-hot': ['Inlet air in {name} has reached {value} °C.'],
  'customer-down': ['{name} is down: {value} % of requests fail.', 'customers are down'],
  'customer-dead': ['{name} is down: all requests fail.'],
  'customer-failing': ['{value} % of requests to {name} fail.', 'customers have failing requests'],
  'customer-slow': [
    'The p99 latency of {name} is {value} ms, above its SLA.',
    'customers are slower than their SLA allows',
  ],
  'customer-slow-no-more': ['The p99 latency of {name} is {value} ms, and was above its SLA.'],
  'customer-starved': [
    'Batch jobs of {name} fall behind: {value} % of their work is not done.',
    'customers have batch jobs that fall behind',
    'delayed batch jobs',
  ],
  'customer-starved-wholly': ['Batch jobs of {name} stand still.', '', 'delayed batch jobs'],
  'customer-stranded': [
    '{value} units of {name} are on hosts that cannot serve them.',
    'customers have units on hosts that cannot serve them',
  ],
  'customer-stranded-unit': [
    'A unit of {name} is on a host that cannot serve it.',
    'customers have a unit on a host that cannot serve it',
  ],
  'customer-redundancy': [
    '{name} has lost its promised redundancy.',
    'customers have lost their promised redundancy',
  ],
  'customer-flood': [
    'Hostile traffic floods {name}.',
    'customers are flooded by hostile traffic',
    'hostile traffic',
  ],
  'customer-probed': [
    '{name} is being probed: port scans and login attempts.',
    'customers are being probed',
    'port scans and login attempts',
  ],
  'customer-breached': ['An intruder is logged in at {name}.', '', 'intruder logged in'],
} as const satisfies Readonly<Record<string, readonly [message: string, several?: string, noun?: string]>>

type Name = keyof typeof symptoms

const entries = Object.entries(symptoms).map(([name, words]) => [`symptom.${name}`, words] as const)

export const symptomMessages = Object.fromEntries(entries.map(([key, [message]]) => [key, message])) as {
  readonly [N in Name as `symptom.${N}`]: (typeof symptoms)[N][0]
}

/** `hosts run on one power supply`, by the key of the message, where several can be told together. */
export const severalSymptoms: ReadonlyMap<string, string> = new Map(
  entries.flatMap(([key, [, several]]) => (several === undefined || several === '' ? [] : [[key, several]])),
)

/** `memory errors`, by the key of the message. */
export const symptomNouns: ReadonlyMap<string, string> = new Map(
  entries.flatMap(([key, [, , noun]]) => (noun === undefined ? [] : [[key, noun]])),
)
