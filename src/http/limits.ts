/** Every limit of the HTTP server. Ordinary clients on one machine stay far below all of them. */
export const limits = {
  /** Longest request target, in characters. */
  targetMax: 8 * 1024,
  /** Largest request line and header section together, in bytes. */
  headerBytesMax: 16 * 1024,
  headerCountMax: 100,
  /** Request bodies are ignored; a longer one ends the connection. */
  ignoredBodyMax: 1024 * 1024,
  connectionsMax: 10_000,
  /** A connection with this many requests waiting is not read. One packet may carry hundreds more. */
  pipelinedMax: 32,
  /** Waiting requests on all connections; one takes about 4 KB. The connection that exceeds it is closed. */
  pipelinedInAllMax: 50_000,
  /** How long the header section and the whole request may take to arrive. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  /** How long a connection may be idle between requests: longer than a scrape interval of a minute. */
  keepAliveTimeoutMs: 75_000,
  timeoutCheckMs: 2_000,
  /** How long a client may take to receive a response. */
  responseTimeoutMs: 60_000,
  /** How long a client may keep sending after the response to a malformed request. */
  lingerMs: 500,
  /** After this many requests in one turn of the event loop, connections are read in turns. */
  turnRequestsMax: 256,
  /** Each connection is read after at most this many turns. */
  turnsMax: 100,
  /** What connections that pipeline may be sent, all together, in one turn of the event loop. */
  turnBytesMax: 256 * 1024,
  /** How long responses may take to end when the server closes. */
  closeGraceMs: 600,
  /** Smaller bodies are not compressed. */
  compressedMin: 1024,
  /** Bodies up to this size are copied, which takes one write and no lease of their frame. */
  joinedMax: 16 * 1024,
} as const
