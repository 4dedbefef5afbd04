const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }

/** JSON.stringify, with integers that need a bigint printed as integers. */
export const jsonReference = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? rawJSON(part.toString()) : part))
