/**
 * Runs work for each item, at most `limit` at a time. The first failure aborts the rest, and is thrown once all have
 * ended.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  limit: number,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const control = new AbortController()
  const { signal } = control
  const queue = items.values()
  const failures: unknown[] = []
  const takeItems = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted) return
      try {
        await work(item, signal)
      } catch (error) {
        failures.push(error)
        control.abort()
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, takeItems))
  if (failures.length > 0) throw failures[0]
}
