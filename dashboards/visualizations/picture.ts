import { PanelBuilder as Canvas } from '@grafana/grafana-foundation-sdk/canvas'
import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import type { DashboardLink, Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import type { PictureName } from '../../src/tables/drawings/pictures.ts'
import { json } from '../queries/targets.ts'
import { unit } from '../style/look.ts'
import { gap, gridRow, panelWidths } from '../style/screens.ts'
import type { GridPlace } from '../style/screens.ts'
import { withBackgroundOfField } from './newer-grafana.ts'
import { withDefaults, withTargets } from './panels.ts'

interface PictureShown {
  readonly title: string
  readonly description: string
  readonly picture: PictureName
  /** Filters that choose what it shows, as in a URL. */
  readonly query?: string
  /** To pages with more, in the corner of the panel: places within the picture cannot be clicked. */
  readonly links?: readonly Builder<DashboardLink>[]
}

/** The column with the picture as an address. */
const image = 'image'

const [borders, head] = [2, 40]

/** Asks for drawings that fill the panel on a phone, on a laptop and on a large screen. */
export function withSizes(panel: Panel, place: GridPlace): Panel {
  const height = place.rows * gridRow - gap - borders - head
  const sizes = panelWidths(place)
    .map((width) => `${width - borders}x${height}`)
    .join(',')
  const sized = (panel.targets ?? []).map((target) =>
    Object.assign({ ...target }, { url: `${(target as { readonly url?: string }).url}&size=${sizes}` }),
  )
  return { ...panel, targets: sized }
}

/** A picture that the mirror draws, as large as fits into the panel. */
export function picture({ title, description, picture: name, query, links = [] }: PictureShown): Panel {
  const panel = withDefaults(new Canvas(), {
    title,
    description,
    unit: unit.text,
    empty: 'No answer from the mirror. Pictures need the Infinity plugin.',
    targets: [],
    infinity: true,
  })
    .links([...links])
    .inlineEditing(false)
    .showAdvancedTypes(false)
    .panZoom(false)
    .infinitePan(false)
    .root({ name: title, type: 'frame', elements: [] })
  const filters = query === undefined ? '' : `&${query}`
  return withTargets(withBackgroundOfField(panel.build(), image), [
    json({
      url: `/tables/pictures?picture=${name}${filters}`,
      columns: [{ selector: image, text: image, type: 'string' }],
    }),
  ])
}
