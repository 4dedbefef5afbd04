/**
 * A value that is made when it is first read. A failure is remembered as well, so that a large table does not repeat it
 * for each cell.
 */
export function once<T>(make: () => T): () => T {
  let read = (): T => {
    try {
      const value = make()
      read = () => value
    } catch (error) {
      read = () => {
        throw error
      }
    }
    return read()
  }
  return () => read()
}
