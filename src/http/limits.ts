/** Every limit of the HTTP server. Ordinary clients on one machine stay far below all of them. */
export const limits = {
  /** Longest request target, in characters. */
  targetMax: 8 * 1024,
  /** Largest request line and header section together, in bytes. */
  headerBytesMax: 16 * 1024,
  headerCountMax: 100,
  /** Request bodies are ignored; a longer one closes the connection. */
  ignoredBodyMax: 1024 * 1024,
  connectionsMax: 10_000,
  /** Reading from a connection pauses at this many waiting requests. One packet may carry hundreds more. */
  pipelinedMax: 32,
  /** Waiting requests on all connections, about 4 KB each. The connection that exceeds this limit is closed. */
  pipelinedInAllMax: 50_000,
  /** Deadlines for the arrival of the header section and of the whole request. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  /** The longest idle time of a connection between requests: more than a scrape interval of a minute. */
  keepAliveTimeoutMs: 75_000,
  timeoutCheckMs: 2_000,
  /** Deadline for a client to receive a response. */
  responseTimeoutMs: 60_000,
  /** After the response to a malformed request, the connection is read for this long. */
  lingerMs: 500,
  /** Grace period for responses when the server closes. */
  closeGraceMs: 600,
  /** Smaller bodies are not compressed. */
  compressedMin: 1024,
  /** Bodies up to this size are copied, which needs one write and no lease of their frame. */
  joinedMax: 16 * 1024,
} as const
