/** Every bound of the HTTP side. Honest pollers on one machine stay far below all of them. */
export const limits = {
  /** Longest request target, in characters. */
  targetMax: 8 * 1024,
  /** Largest request line and header section together, in bytes. */
  headerBytesMax: 16 * 1024,
  headerCountMax: 100,
  /** A request body is ignored; one that turns out longer than this ends the connection. */
  ignoredBodyMax: 1024 * 1024,
  connectionsMax: 10_000,
  /** How long the header section, and then the whole request, may take to arrive. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  /** How long a connection may rest between requests: longer than the usual scrape interval of a minute. */
  keepAliveTimeoutMs: 75_000,
  timeoutCheckMs: 2_000,
  /** How long a client may take to receive a response. */
  responseTimeoutMs: 60_000,
  /** How long a client may go on sending after it was told that its request is malformed. */
  lingerMs: 500,
  /** How long responses may take to end once the server closes. */
  closeGraceMs: 600,
  /** Bodies below this are not worth compressing. */
  compressedMin: 1024,
  /** Bodies up to this are copied together, so that they need no hold on their frame and one write. */
  joinedMax: 16 * 1024,
} as const
