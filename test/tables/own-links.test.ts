import { expect, test } from 'vitest'
import { sessionQuery, withQuery } from '../../src/tables/engine/own-links.ts'

test.each([
  ['', null, ''],
  ['evening', null, 'session=evening'],
  ['a "b"', null, 'session=a%20%22b%22'],
  ['', 5, 'world=5'],
  ['evening', 5, 'session=evening&world=5'],
])('the query of session %j and world %j', (session, world, query) => {
  expect(sessionQuery(session, world)).toBe(query)
})

const query = 'session=a&world=5'

test.each([
  ['<a href="incident">', '<a href="incident?session=a&amp;world=5">'],
  ['<a href="incident?incident=1">', '<a href="incident?incident=1&amp;session=a&amp;world=5">'],
  ['<a class="all" href="/tables/zones">', '<a class="all" href="/tables/zones?session=a&amp;world=5">'],
  ['<a href="../">', '<a href="../?session=a&amp;world=5">'],
  ["<a href='../tables/rack?rack=5'>", "<a href='../tables/rack?rack=5&amp;session=a&amp;world=5'>"],
  ['<img src="pictures/floor.svg">', '<img src="pictures/floor.svg?session=a&amp;world=5">'],
  ['<source srcset="floor.svg">', '<source srcset="floor.svg?session=a&amp;world=5">'],
])('adds it to %s', (markup, linked) => {
  expect(withQuery(markup, query)).toBe(linked)
  expect(withQuery(markup, '')).toBe(markup)
})

test.each([
  '<a href="https://example.org/tables">',
  '<a href="HTTP://example.org/">',
  '<a href="//example.org/tables">',
  '<a href="#routes">',
  "<use href='#rack'/>",
  '<img src="data:image/svg+xml,%3Csvg">',
  '<a data-first="hosts">',
  '<td>href=&quot;incident&quot;</td>',
])('adds it neither to other places nor to text: %s', (markup) => {
  expect(withQuery(markup, query)).toBe(markup)
})
