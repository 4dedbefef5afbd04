import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { stepFacility } from '../../../../src/world/simulation/facility/facility.ts'
import { drawStorm, updateWeather, usualCelsius } from '../../../../src/world/simulation/facility/weather.ts'
import { day, hour, stepLength } from '../../../../src/world/simulation/time.ts'
import { RandomStream } from '../../../../src/world/simulation/random.ts'
import { FixedStream } from '../fixed-stream.ts'
import { createBusyNetwork } from '../network/network-fixture.ts'
import type { NetworkFixture } from '../network/network-fixture.ts'

let world: NetworkFixture

beforeEach(() => {
  world = createBusyNetwork(4)
})

describe('the weather', () => {
  const climate = { meanCelsius: 11, yearlySwing: 10, dailySwing: 5 }
  const firstOfMay = -4 * day

  test('is warmest on summer afternoons and coldest before sunrise in winter', () => {
    const julyAfternoon = usualCelsius(climate, firstOfMay + 75 * day + 14 * hour)
    const julyNight = usualCelsius(climate, firstOfMay + 75 * day + 4 * hour)
    const januaryNight = usualCelsius(climate, firstOfMay + 259 * day + 4 * hour)
    expect(julyAfternoon).toBeCloseTo(26, 0)
    expect(julyNight).toBeCloseTo(16, 0)
    expect(januaryNight).toBeCloseTo(-4, 0)
  })

  test('is announced when it is unusual, and when it has passed', () => {
    const texts: string[] = []
    world.facility.weather.unusualSince.fill(0)
    // The hourly shock is less than three degrees.
    for (const [at, spell] of [9, 9, 2, -9].entries()) {
      world.facility.weather.spell[0] = spell
      world.now = 24 * (at + 1) * hour
      world.tick = world.now / stepLength
      updateWeather(world)
      for (const { msg_key, msg_args } of world.events.state.window.slice(texts.length))
        texts.push(messageText(msg_key, msg_args))
    }
    expect(texts.map((text) => text.replace(/\d+ °C/, 'some °C'))).toEqual([
      expect.stringMatching(/^Hot air reaches .+: some °C above what is usual for the date\.$/),
      expect.stringMatching(/^The weather in .+ is as usual again after 2 days\.$/),
      expect.stringMatching(/^Cold air reaches .+: some °C below what is usual for the date\.$/),
    ])
  })

  test('has storms: on afternoons in summer, at any hour in winter, some a year', () => {
    const stream = new RandomStream(1n, 'storms', undefined)
    const begun = { summerAfternoon: 0, summerNight: 0, winterAfternoon: 0, winterNight: 0 }
    for (let hours = 0; hours < 200 * 8_760; hours++) {
      const now = hours * hour
      if (drawStorm(now, stream) === 0) continue
      const ofDay = hours % 24
      const season = usualCelsius({ ...climate, dailySwing: 0 }, now) > 11 ? 'summer' : 'winter'
      if (ofDay >= 14 && ofDay < 20) begun[`${season}Afternoon`]++
      else if (ofDay < 6) begun[`${season}Night`]++
    }
    const [inSummer, inWinter] = [
      begun.summerAfternoon / begun.summerNight,
      begun.winterAfternoon / begun.winterNight,
    ]
    expect(inSummer).toBeGreaterThan(6)
    expect(inWinter).toBeGreaterThan(0.75)
    expect(inWinter).toBeLessThan(1.35)
    expect((begun.winterAfternoon * 4) / 200).toBeGreaterThan(5)
    expect((begun.winterAfternoon * 4) / 200).toBeLessThan(9)
  })

  test('tells when a storm comes and when it has passed', () => {
    const texts: string[] = []
    const { weather } = world.facility
    weather.spell.fill(0)
    const [untilPassed, untilNext] = [2, 3].map((hours) => hours * hour)
    weather.stormSince[0] = 0
    weather.stormUntil[0] = untilPassed
    for (const now of [hour, untilPassed, untilNext]) {
      world.now = now
      world.tick = now / stepLength
      updateWeather(world)
    }
    for (const { msg_key, msg_args } of world.events.state.window) texts.push(messageText(msg_key, msg_args))
    expect(texts.filter((text) => text.includes('storm'))).toEqual([
      expect.stringMatching(/^The storm in .+ has passed after 2 h\.$/),
    ])
    expect(weather.stormUntil[0]).toBe(0)
    world.random.stream = () => new FixedStream(0)
    world.now = 14 * hour
    world.tick = world.now / stepLength
    updateWeather(world)
    const { msg_key, msg_args } = world.events.state.window.at(-1)!
    expect(messageText(msg_key, msg_args)).toMatch(
      /^A thunderstorm reaches .+\. The grid and the lines of carriers are at risk\.$/,
    )
    expect(weather.stormUntil[0]).toBe(16 * hour)
  })

  test('returns after a year', () => {
    expect(usualCelsius(climate, 365 * day)).toBeCloseTo(usualCelsius(climate, 0), 9)
  })

  test('has warm and cold spells that last for days, and stays within bounds', () => {
    const spells: number[] = []
    for (let at = 0; at < 120 * 24; at++) {
      world.now = at * hour
      world.tick = world.now / stepLength
      stepFacility(world)
      spells.push(world.facility.weather.spell[0])
    }
    expect(Math.max(...spells)).toBeGreaterThan(2)
    expect(Math.min(...spells)).toBeLessThan(-2)
    expect(Math.max(...spells.map(Math.abs))).toBeLessThanOrEqual(9)
    const changes = spells.slice(1).map((spell, index) => Math.abs(spell - spells[index]))
    expect(Math.max(...changes)).toBeLessThan(3)
  })
})
