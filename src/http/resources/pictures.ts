import type { Frame } from '../../encoding/frames/frame.ts'
import { drawings, pictureNames, pictures } from '../../tables/drawings/pictures.ts'
import { sessionQuery } from '../../tables/engine/own-links.ts'
import type { TableRequest } from '../../tables/thread/table-maker.ts'
import { requestKey } from '../../tables/thread/publish-answers.ts'
import { closestMatch } from '../../text/closest-match.ts'
import type { ParametersOf } from '../requests/parameters.ts'
import { svgMediaType } from '../responses/media-types.ts'
import { quoted } from '../../text/quoted.ts'
import { Problem } from '../responses/problems.ts'
import { digestOf, wholeBody, wholeSlice } from '../responses/representation.ts'
import type { Representation } from '../responses/representation.ts'
import { filtersOf, listRepresentation, unlessRefused } from './tables.ts'
import type { TableContext } from './tables.ts'

/** A picture opened by itself runs nothing, loads nothing, and cannot be framed by another page. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

function missingPicture(name: string): string {
  const similar = closestMatch(name, pictureNames)
  return similar === null
    ? `There is no picture ${quoted(name)}, expected one that /pictures lists.`
    : `There is no picture ${quoted(name)}; did you mean /pictures/${similar}.svg?`
}

export const pictureListRepresentation = (session: string, accept: string | undefined): Representation =>
  listRepresentation(
    'pictures',
    pictureNames.map((picture) => ({
      picture,
      path: `/pictures/${picture}.svg`,
      meaning: drawings[picture].meaning,
    })),
    accept,
    session,
  )

/** A picture of the frame, which is drawn as tables are made: in another thread, once for all who ask. */
export async function pictureRepresentation(
  frame: Frame,
  { picture: path, filters: given }: ParametersOf<'picture'>,
  { tables, session }: TableContext,
): Promise<Representation> {
  const name = path.replace(/\.svg$/, '')
  if (!pictureNames.some((known) => known === name)) throw new Problem('NoSuchPicture', missingPicture(name))
  const filters = new Map(filtersOf(given, pictures)).set('picture', [name])
  const request: TableRequest = {
    table: pictures.name,
    format: 'document',
    filters,
    sort: null,
    offset: 0,
    limit: 1,
    linkQuery: sessionQuery(session),
  }
  const bytes = await unlessRefused(tables.ask(frame, request))
  const headers = ['Content-Security-Policy', policy]
  return wholeBody(`picture.${digestOf(requestKey(request))}`, svgMediaType, [wholeSlice(bytes)], headers)
}
