export const get = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer())

export interface Meta {
  readonly publish_seq: number
  readonly age_ms: number
}

export const metaOf = async (origin: string): Promise<Meta> =>
  (JSON.parse((await get(`${origin}/health`)).toString()) as { meta: Meta }).meta
