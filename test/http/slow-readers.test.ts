import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { TestService } from './test-service.ts'
import { connected, rawResponses } from './raw-connection.ts'
import { promptlyMs } from '../fixtures/promptly.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** More than the buffers of a connection hold: about 12 MB. */
const requests = 25
const wholePages = `GET /api/v1/hosts?limit=150 HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(requests)

/** Sends many requests without reading any response. */
async function slowReader(service: TestService): Promise<Socket> {
  const socket = (await connected(service.port)).pause()
  socket.on('error', () => {})
  socket.write(wholePages)
  while (socket.readableLength === 0) await pause(10)
  await pause(150)
  return socket
}

async function takeAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.resume()
  await once(socket, 'close')
  return Buffer.concat(chunks)
}

test('a client that reads nothing for a minute is disconnected, which releases its frame', async () => {
  const clock = new FakeClock()
  const service = await TestService.start({ clock, cadenceMs: 1_000 })
  const socket = await slowReader(service)
  clock.advanceTo(2_500)
  expect(service.mirror.supersededFrames).toBe(1)
  clock.advanceTo(59_000)
  expect(service.mirror.supersededFrames).toBe(1)
  clock.advanceTo(61_000)
  const received = await takeAll(socket)
  expect(() => rawResponses(received)).toThrow('cut short')
  expect(service.mirror.supersededFrames).toBe(0)
  await stopped(service, clock)
})

test('closing waits briefly for clients that are still reading', async () => {
  const service = await TestService.start()
  const socket = await slowReader(service)
  const stopping = service.stop()
  const received = await takeAll(socket)
  await stopping
  expect(rawResponses(received).length).toBe(requests)
})

test('closing does not wait for clients that read nothing, nor for idle connections', async () => {
  const service = await TestService.start()
  const [slow, resting] = [await slowReader(service), await connected(service.port)]
  const began = Date.now()
  await service.stop()
  expect(Date.now() - began).toBeLessThan(promptlyMs)
  slow.destroy()
  resting.destroy()
})

/** The fake clock has to advance to end the waits. */
async function stopped(service: TestService, clock: FakeClock): Promise<void> {
  const stopping = service.stop()
  clock.advanceTo(clock.nowMs() + 10_000)
  await stopping
}
