import {
  bool,
  id,
  int,
  taggedUnion,
  list,
  listOf,
  nested,
  nullable,
  num,
  oneOf,
  defineOpenRecord,
  defineRecord,
  str,
  total,
} from '../fields.ts'
import {
  colors,
  connectors,
  deviceKinds,
  portLinks,
  portMedia,
  portStates,
  threatClasses,
  threatUnits,
} from '../vocabularies.ts'

export const MessageArgumentSchema = defineRecord('MessageArgument', 'One argument of a message template.', {
  key: str('Name of the placeholder in the template.'),
  text: str('The argument as text; for a number, the number as people write it.'),
  number: num('The argument as a number; 0 where it is none.', 'none'),
  is_number: bool('Whether the argument is a number.'),
})

const PeerSchema = defineOpenRecord('Peer', 'The port at the other end of the link.', {
  device_kind: oneOf(deviceKinds, 'What kind of device the port belongs to.'),
  device_id: id('Id of that device among its kind.'),
  port_id: id('Id of the port.'),
  port_index: int('Position of the port on its device, from 0.', 'index'),
  label: str('Name of the device and the port, for people.'),
})

export const PortSchema = defineRecord('Port', 'A port of a device.', {
  index: int('Position on the device, from 0.', 'index'),
  label: str('Name printed beside the port.'),
  link: oneOf(portLinks, 'State of the link as the device sees it.'),
  active: bool('Whether traffic may flow now.'),
  cable_ids: list(id('Id of a cable.'), 'Cables plugged in; several where the port is broken out.'),
  peer: nullable(
    nested(PeerSchema, 'The port at the far end, panels passed over; null where nothing is connected.'),
  ),
  port_id: id('Id of the port, unique over all devices.'),
  state: oneOf(portStates, 'What the port is doing, and if it is not up, why.'),
  media: oneOf(portMedia, 'What the plugged cable is made of.'),
  gbps_tx: num('Traffic sent.', 'gbps'),
  gbps_rx: num('Traffic received.', 'gbps'),
  link_capacity_gbps: int('What the link carries at most, in each direction.', 'gbps'),
  error_count: int('Frames lost to errors since the device was installed.'),
  bytes_egress_total: total('Bytes sent since the device was installed.', 'bytes'),
  bytes_ingress_total: total('Bytes received since the device was installed.', 'bytes'),
  link_flaps: int('How often the link went down and came back.'),
  cable_able: bool('Whether a cable may be plugged in.'),
  connector: oneOf(connectors, 'Shape of the socket.'),
  color: oneOf(colors, 'Color of the plugged cable, or of the free socket.'),
  breakout_used_gbps: int('Capacity of the breakout legs in use.', 'gbps'),
  breakout_capacity_gbps: int('Capacity to break out; 0 where the port cannot.', 'gbps'),
  breakout_leg_count: int('Breakout legs plugged in.'),
})

export const ThreatSchema = defineRecord('Threat', 'Hostile traffic of one class at a device.', {
  class: oneOf(threatClasses, 'Class of attack.'),
  label: str('Name of the class, for people.'),
  label_eng: str('Name of the class as engineers say it.'),
  reaching: num('What arrives here.', 'as_stated'),
  mitigated: num('What is stopped here.', 'as_stated'),
  residual: num('What gets through: reaching less mitigated.', 'as_stated'),
  capacity: num('What can be stopped here at most.', 'as_stated'),
  defense_capable: bool('Whether this device can stop this class at all.'),
  unit: oneOf(threatUnits, 'Unit of the four numbers.'),
})

export const CableEndSchema = defineOpenRecord('CableEnd', 'Where one end of a cable is plugged in.', {
  device_kind: oneOf(deviceKinds, 'What kind of device.'),
  device_id: id('Id of the device among its kind.'),
  port_id: id('Id of the port.'),
})

export const CablePathStepSchema = taggedUnion(
  {
    Port: id('Id of a port at an end.'),
    PatchPanel: id('Id of a patch panel passed through.'),
    Tray: id('Id of a cable tray followed.'),
  },
  'One step of the way a cable takes.',
)

/** A message in a record: a key of the catalog and the arguments of its template. */
export const messageArgumentList = (meaning: string) => listOf(MessageArgumentSchema, meaning)

/** Capacity of hosts taken together. */
export const hostCapacity = {
  physical_vcpu: int('Virtual CPUs that the hardware has.', 'vcpu'),
  allocated_millivcpu: int('Allocated to units.', 'millivcpu'),
  used_millivcpu: int('Used by units now.', 'millivcpu'),
  free_vcpu_milli: int('Still to be allocated, with the overcommit allowed.', 'millivcpu'),
  physical_mem_mb: int('Memory that the hardware has.', 'mb'),
  free_mem_mb: int('Memory not allocated.', 'mb'),
  physical_ssd_gb: int('Disk that the hardware has.', 'gb'),
  free_ssd_gb: int('Disk not allocated.', 'gb'),
  vgpu_slices_total: int('GPU slices in all.'),
  vgpu_slices_used: int('GPU slices allocated.'),
}
