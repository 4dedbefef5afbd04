import type { Field } from '../../contract/fields.ts'
import type { ScalarEncoder } from '../../text/json-writer.ts'

const comma = 0x2c
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d
const colon = 0x3a

function listEncoder(item: ScalarEncoder): ScalarEncoder {
  return (text, value, label) => {
    if (!Array.isArray(value)) throw new RangeError(`${label} must be a list, but is ${String(value)}.`)
    text.byte(openList)
    for (let i = 0; i < value.length; i++) {
      if (i > 0) text.byte(comma)
      item(text, value[i], label)
    }
    text.byte(closeList)
  }
}

function taggedUnionEncoder(variants: Readonly<Record<string, Field>>): ScalarEncoder {
  const encoders = new Map(Object.entries(variants).map(([key, field]) => [key, scalarEncoder(field)]))
  return (text, value, label) => {
    const [key = '', ...others] = Object.keys(value as object)
    const encode = encoders.get(key)
    if (encode === undefined || others.length > 0) {
      throw new RangeError(`${label} must have exactly one key of ${[...encoders.keys()].join(', ')}.`)
    }
    text.byte(openObject)
    text.string(key, label)
    text.byte(colon)
    encode(text, (value as Readonly<Record<string, unknown>>)[key], label)
    text.byte(closeObject)
  }
}

function nonNullEncoder(field: Field): ScalarEncoder {
  switch (field.kind) {
    case 'int':
      return (text, value, label) => void text.int(value, label)
    case 'int64':
      return (text, value, label) => void text.int64(value, label)
    case 'num':
      return (text, value, label) => void text.num(value, label)
    case 'bool':
      return (text, value, label) => text.bool(value, label)
    case 'str':
      return (text, value, label) => text.string(value, label)
    case 'list':
      return listEncoder(scalarEncoder(field.of!))
    case 'keyed':
      return taggedUnionEncoder(field.variants!)
    case 'record':
      break
  }
  throw new Error('Records are encoded by generated code.')
}

export function scalarEncoder(field: Field): ScalarEncoder {
  const present = nonNullEncoder(field)
  if (!field.nullable) return present
  return (text, value, label) => (value === null ? text.null() : present(text, value, label))
}
