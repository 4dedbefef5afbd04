/** A mirror that reports its port, and then sends no heartbeat. */
process.send!({ port: 4711 })
process.on('SIGTERM', () => {})
setInterval(() => {}, 1_000)
