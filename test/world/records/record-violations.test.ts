import { expect, test } from 'vitest'
import {
  bool,
  id,
  int,
  taggedUnion,
  list,
  nested,
  nullable,
  num,
  oneOf,
  defineRecord,
} from '../../../src/contract/fields.ts'
import { recordViolations } from './record-violations.ts'

const Lamp = defineRecord('Lamp', 'A lamp.', {
  id: id('Id.'),
  lit: bool('Whether it is on.'),
  watts: int('Draw.'),
  level: num('How bright.', 'ratio'),
  color: nullable(oneOf(['red', 'green'], 'Color.')),
  plug: nested(defineRecord('Plug', 'A plug.', { pins: int('Pins.') }), 'Its plug.'),
  way: list(taggedUnion({ Port: id('Port.'), Tray: id('Tray.') }, 'A step.'), 'The way of its cable.'),
})

const sound = {
  id: 2n ** 60n,
  lit: true,
  watts: 7,
  level: 0.25,
  color: null,
  plug: { pins: 3 },
  way: [{ Port: 1 }, { Tray: 2 }],
}

test('a record as declared is sound', () => {
  expect(recordViolations(Lamp, sound)).toEqual([])
})

test.each([
  [{ lit: undefined }, 'Lamp.lit is undefined, neither true nor false'],
  [{ height: 3 }, 'Lamp.height is not declared'],
  [{ id: 2 ** 60 }, 'Lamp.id is 1152921504606847000, no exact integer'],
  [{ watts: 7.5 }, 'Lamp.watts is 7.5, no integer'],
  [{ watts: null }, 'Lamp.watts is null'],
  [{ watts: -1 }, 'Lamp.watts is -1, less than nothing'],
  [{ level: Number.NaN }, 'Lamp.level is NaN, no number'],
  [{ level: 1.5 }, 'Lamp.level is 1.5, no share'],
  [{ level: 0.123_45 }, 'Lamp.level is 0.12345, with more than 4 decimals'],
  [{ level: -0 }, 'Lamp.level is minus zero'],
  [{ color: 'blue' }, 'Lamp.color may not be blue'],
  [{ plug: {} }, 'Lamp.plug.pins is missing'],
  [{ way: [{ Port: 1, Tray: 2 }] }, 'Lamp.way[0] is not one of its variants'],
  [{ way: [{ Pipe: 1 }] }, 'Lamp.way[0] is not one of its variants'],
])('%o is not', (change, violation) => {
  expect(recordViolations(Lamp, { ...sound, ...change })).toEqual([violation])
})
