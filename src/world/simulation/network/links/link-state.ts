import { isDue, schedule, stepsPerMinute } from '../../schedule.ts'
import { stepSeconds } from '../../time.ts'
import type { NetworkWorld } from '../../state.ts'
import { survivingShare } from './frame-loss.ts'

/**
 * Link states: a link is up while the devices at both ends run, the cable is intact, and the wire passes frames.
 * Links are checked after a change of a device or fault, flapping links in every step.
 */
export function stepLinks(state: NetworkWorld): void {
  const { network, facility, condition } = state
  const { links } = network
  if (isDue(schedule.linkErrors, state.tick)) countErrors(state)
  const devicesChanged = links.facilityVersion !== facility.version
  if (!devicesChanged && links.conditionVersion === condition.version) {
    if (network.flappingLinks > 0 && updateFlappingLinks(state)) network.connectivityVersion++
    return
  }
  links.facilityVersion = facility.version
  links.conditionVersion = condition.version
  if (devicesChanged) collectRunningDevices(state)
  const linksChanged = updateLinks(state)
  if (linksChanged || devicesChanged) network.connectivityVersion++
}

function collectRunningDevices({ network, facility }: NetworkWorld): void {
  const { up, firstSwitch, firstGateway, firstAppliance } = network.links
  const { hostRunning, switchUp, gatewayUp, applianceUp } = facility
  for (let row = 0; row < hostRunning.length; row++) up[row] = hostRunning[row]
  for (let row = 0; row < switchUp.length; row++) up[firstSwitch + row] = switchUp[row]
  for (let row = 0; row < gatewayUp.length; row++) up[firstGateway + row] = gatewayUp[row]
  for (let row = 0; row < applianceUp.length; row++) up[firstAppliance + row] = applianceUp[row]
}

/** Frame loss above which a wire carries no signal at all. */
const deadWireLossMin = 0.97

function updateLinks(state: NetworkWorld): boolean {
  const { network, condition } = state
  const { links, portUp } = network
  const { a, b, cable, deviceA, deviceB, up } = links
  const { cableCut, cableLoss, portLoss, portFlapping } = condition
  let changed = false
  network.lossyLinks = 0
  network.flappingLinks = 0
  for (let link = 0; link < links.count; link++) {
    const portA = a[link]
    const portB = b[link]
    let isUp = up[deviceA[link]] & up[deviceB[link]]
    if (cableCut[cable[link]] > 0) isUp = 0
    const worstLoss = Math.max(portLoss[portA], portLoss[portB], cableLoss[cable[link]])
    if (worstLoss > 0) links.lossy[network.lossyLinks++] = link
    if (worstLoss >= deadWireLossMin) isUp = 0
    if (portFlapping[portA] + portFlapping[portB] > 0 && isUp === 1) {
      links.flapping[network.flappingLinks++] = link
      if (isDownWhileFlapping(state, portA)) isUp = 0
      if (isUp < portUp[portA]) countFlaps(state, portA, portB)
    }
    if (isUp === portUp[portA]) continue
    portUp[portA] = isUp
    portUp[portB] = isUp
    changed = true
  }
  return changed
}

/** Period of a flapping link in steps; the link is down in the first step of each period. */
const flapRoundSteps = 6
/** Flaps counted in the step with the link down. */
const flapsPerRound = 3

const isDownWhileFlapping = ({ tick }: NetworkWorld, port: number): boolean =>
  (tick + port) % flapRoundSteps === 0

function updateFlappingLinks(state: NetworkWorld): boolean {
  const { links, portUp, flappingLinks } = state.network
  let changed = false
  for (let n = 0; n < flappingLinks; n++) {
    const portA = links.a[links.flapping[n]]
    const portB = links.b[links.flapping[n]]
    const isUp = isDownWhileFlapping(state, portA) ? 0 : 1
    if (isUp === portUp[portA]) continue
    portUp[portA] = isUp
    portUp[portB] = isUp
    changed = true
    if (isUp === 0) countFlaps(state, portA, portB)
  }
  return changed
}

function countFlaps({ network }: NetworkWorld, portA: number, portB: number): void {
  for (const port of [portA, portB]) {
    network.portFlaps[port] += flapsPerRound
    network.portErrors[port] += flapsPerRound * 2
  }
}

/** Frames of 1,000 bytes per minute for each Gbit/s. */
const framesPerGbpsMinute = (stepsPerMinute * stepSeconds * 125e6) / 1000

/** Adds the frames lost in a minute to the counters of the ports that receive them damaged. */
function countErrors(state: NetworkWorld): void {
  const { links, lossyLinks, portRxGbps, portErrors } = state.network
  for (let n = 0; n < lossyLinks; n++) {
    const [one, other] = [links.a[links.lossy[n]], links.b[links.lossy[n]]]
    const survives = survivingShare(state, one, other)
    if (survives === 0) continue
    for (const port of [one, other])
      portErrors[port] += Math.round(portRxGbps[port] * (1 / survives - 1) * framesPerGbpsMinute)
  }
}
