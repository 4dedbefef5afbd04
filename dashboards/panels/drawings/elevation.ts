import { MappingType } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Panel, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import { link, preservedQueryParams } from '../../layout/links.ts'
import { palette, plainText, unit } from '../../style/look.ts'
import { texts } from '../../style/states.ts'
import { wordTable } from '../../visualizations/tables.ts'

/** Kinds of devices in a rack, in the words of the mirror. Colors are dark, for names in white. */
const kinds = {
  switch: '#0072B2',
  gateway: '#5B4E9C',
  appliance: '#3F5F7F',
  'patch panel': '#5F6368',
  host: '#1b6e58',
} as const

const tile = (pattern: string, color: string, index: number): ValueMapping => ({
  type: MappingType.RegexToText,
  options: { pattern, result: { text: '$1 ', color, index } },
})

/** A degraded device has the color of its state instead of that of its kind. */
const tiles: ValueMapping[] = [
  tile('^[34]\\|[^|]*\\|(.*)$', palette.vermilion, 0),
  tile('^2\\|[^|]*\\|(.*)$', palette.orange, 1),
  ...Object.entries(kinds).map(([kind, color], at) => tile(`^[01]\\|${kind}\\|(.*)$`, color, at + 2)),
  tile('^[01]\\|[^|]*\\|(.*)$', '#5F6368', 9),
  { type: MappingType.ValueToText, options: { '': { text: ' ', color: 'transparent', index: 10 } } },
]

/** One rack to scale: a row for each rack unit, the highest at the top, including free ones. */
export const rackElevation = (empty: string): Panel =>
  wordTable({
    title: 'Elevation',
    description:
      'The rack unit by unit, the highest at the top, to scale: name and load (CPU of a host, fabric of a network device) of what stands there. A device of several units has its name on the highest. Click on a name to open it.',
    empty,
    table: 'rack',
    query: 'rack=${rack}&limit=100',
    columns: [
      { field: 'u', title: 'U', unit: unit.number, width: 45 },
      {
        field: 'tile',
        title: 'Device',
        mappings: tiles,
        filled: true,
        links: [
          link(
            'Open ${__data.fields.device}',
            `/d/dcsim-\${__data.fields.leads_to}/\${__data.fields.leads_to}?${preservedQueryParams}&\${instance:queryparam}` +
              '&var-device=${__data.fields.device}&var-host=${__data.fields.device_id}&${rack:queryparam}',
          ),
        ],
      },
      { field: 'state', title: 'State', width: 140, mappings: texts({ free: [' ', plainText] }) },
      { field: 'device', title: 'Name', hidden: true },
      { field: 'device_id', title: 'Id', hidden: true },
      { field: 'leads_to', title: 'Leads to', hidden: true },
    ],
  })

/** The legend of elevations, in one line. */
export const elevationLegend = [
  ...Object.entries(kinds),
  ['a warning', palette.orange] as const,
  ['serious or worse', palette.vermilion] as const,
]
  .map(([meaning, color]) => `<span style="color:${color}">■</span> ${meaning}`)
  .join(' &nbsp; ')
