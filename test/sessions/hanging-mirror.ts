/** A mirror that says where it listens, and then gives no sign of life. */
process.send!({ port: 4711 })
process.on('SIGTERM', () => {})
setInterval(() => {}, 1_000)
