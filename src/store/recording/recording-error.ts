/** Frames that cannot be read or written. The message is a full sentence for the user. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}
