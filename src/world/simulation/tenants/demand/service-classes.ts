import type { Accelerator, ServiceClass } from '../../../../contract/vocabularies.ts'
import { serviceClasses } from '../../../../contract/vocabularies.ts'
import type { CurveName } from './curves.ts'

/** The role of a service: users call `front`, other services of the customer call `behind`, `job` is batch work. */
export const roles = ['front', 'behind', 'job'] as const
type Role = (typeof roles)[number]
/** Encoding of roles in the service table. */
export const roleIndex = { front: 0, behind: 1, job: 2 } as const satisfies Record<Role, number>

/** The fields common to services of a class. */
export interface ClassTraits {
  readonly label: string
  readonly role: Role
  readonly accelerator: Accelerator | null
  /** Resources of a unit per virtual CPU, relative to those of its hosts per allocatable virtual CPU. */
  readonly memory: number
  readonly disk: number
  readonly iops: number
  /** Share of a unit's allocated CPU used at the peak. */
  readonly busyShare: number
  readonly cpuMsPerRequest: number
  readonly kbInPerRequest: number
  readonly kbOutPerRequest: number
  readonly kbEastWestPerRequest: number
  /** Processing time of a request without contention, and its disk time. */
  readonly computeMs: number
  readonly storageMs: number
  /** Synchronous calls per user request, and the share of the class's failures that users notice. */
  readonly waitedCalls: number
  readonly noticed: number
  /** A demand curve that overrides the customer's; null for none. */
  readonly curve: CurveName | null
  readonly throughputUnit: string
}

const traits = {
  web: {
    label: 'Web front end',
    role: 'front',
    accelerator: null,
    memory: 0.85,
    disk: 0.5,
    iops: 0.4,
    busyShare: 0.64,
    cpuMsPerRequest: 8,
    kbInPerRequest: 7.5,
    kbOutPerRequest: 32.5,
    kbEastWestPerRequest: 7.5,
    computeMs: 9,
    storageMs: 0.5,
    waitedCalls: 1,
    noticed: 1,
    curve: null,
    throughputUnit: 'requests/s',
  },
  app: {
    label: 'Application servers',
    role: 'front',
    accelerator: null,
    memory: 1.05,
    disk: 0.6,
    iops: 0.5,
    busyShare: 0.66,
    cpuMsPerRequest: 17.5,
    kbInPerRequest: 10,
    kbOutPerRequest: 15,
    kbEastWestPerRequest: 15,
    computeMs: 16,
    storageMs: 0.6,
    waitedCalls: 1,
    noticed: 1,
    curve: null,
    throughputUnit: 'calls/s',
  },
  database: {
    label: 'Database',
    role: 'behind',
    accelerator: null,
    memory: 1.0,
    disk: 0.8,
    iops: 0.8,
    busyShare: 0.58,
    cpuMsPerRequest: 4,
    kbInPerRequest: 0,
    kbOutPerRequest: 0,
    kbEastWestPerRequest: 4.5,
    computeMs: 3,
    storageMs: 4.6,
    waitedCalls: 2,
    noticed: 1,
    curve: null,
    throughputUnit: 'queries/s',
  },
  cache: {
    label: 'Cache',
    role: 'behind',
    accelerator: null,
    memory: 1.05,
    disk: 0.2,
    iops: 0.15,
    busyShare: 0.5,
    cpuMsPerRequest: 0.625,
    kbInPerRequest: 0,
    kbOutPerRequest: 0,
    kbEastWestPerRequest: 1.25,
    computeMs: 0.7,
    storageMs: 0,
    waitedCalls: 1,
    noticed: 0.25,
    curve: null,
    throughputUnit: 'lookups/s',
  },
  queue: {
    label: 'Message queue',
    role: 'behind',
    accelerator: null,
    memory: 0.95,
    disk: 0.9,
    iops: 0.9,
    busyShare: 0.52,
    cpuMsPerRequest: 1.25,
    kbInPerRequest: 0,
    kbOutPerRequest: 0,
    kbEastWestPerRequest: 2.25,
    computeMs: 1.5,
    storageMs: 0.8,
    waitedCalls: 0.5,
    noticed: 0.5,
    curve: null,
    throughputUnit: 'messages/s',
  },
  'object-storage': {
    label: 'Object store',
    role: 'front',
    accelerator: null,
    memory: 0.95,
    disk: 0.9,
    iops: 0.7,
    busyShare: 0.52,
    cpuMsPerRequest: 12.5,
    kbInPerRequest: 45,
    kbOutPerRequest: 120,
    kbEastWestPerRequest: 40,
    computeMs: 14,
    storageMs: 6,
    waitedCalls: 1,
    noticed: 1,
    curve: null,
    throughputUnit: 'objects/s',
  },
  'block-storage': {
    label: 'Block volumes',
    role: 'behind',
    accelerator: null,
    memory: 0.9,
    disk: 0.9,
    iops: 0.85,
    busyShare: 0.48,
    cpuMsPerRequest: 0.75,
    kbInPerRequest: 0,
    kbOutPerRequest: 0,
    kbEastWestPerRequest: 3.5,
    computeMs: 0.4,
    storageMs: 3.4,
    waitedCalls: 1,
    noticed: 1,
    curve: null,
    throughputUnit: 'operations/s',
  },
  batch: {
    label: 'Batch jobs',
    role: 'job',
    accelerator: null,
    memory: 0.95,
    disk: 0.7,
    iops: 0.6,
    busyShare: 0.8,
    cpuMsPerRequest: 900,
    kbInPerRequest: 120,
    kbOutPerRequest: 60,
    kbEastWestPerRequest: 1_600,
    computeMs: 900,
    storageMs: 40,
    waitedCalls: 1,
    noticed: 1,
    curve: 'night',
    throughputUnit: 'jobs/s',
  },
  'gpu-training': {
    label: 'Model training',
    role: 'job',
    accelerator: 'TrainingGpu',
    memory: 0.95,
    disk: 0.7,
    iops: 0.6,
    busyShare: 0.68,
    cpuMsPerRequest: 1_800,
    kbInPerRequest: 1_800,
    kbOutPerRequest: 200,
    kbEastWestPerRequest: 10_000,
    computeMs: 1_500,
    storageMs: 60,
    waitedCalls: 1,
    noticed: 1,
    curve: null,
    throughputUnit: 'training steps/s',
  },
  'gpu-inference': {
    label: 'Model inference',
    role: 'front',
    accelerator: 'InferenceGpu',
    memory: 0.95,
    disk: 0.6,
    iops: 0.5,
    busyShare: 0.62,
    cpuMsPerRequest: 24,
    kbInPerRequest: 14,
    kbOutPerRequest: 8,
    kbEastWestPerRequest: 6,
    computeMs: 70,
    storageMs: 1,
    waitedCalls: 1,
    noticed: 1,
    curve: null,
    throughputUnit: 'inferences/s',
  },
} as const satisfies Record<ServiceClass, ClassTraits>

export const classTraits: Readonly<Record<ServiceClass, ClassTraits>> = traits

/** The application of a customer with a web front end is not called by users. */
export const roleAmong = (name: ServiceClass, all: readonly ServiceClass[]): Role =>
  name === 'app' && all.includes('web') ? 'behind' : classTraits[name].role

/** By index in `serviceClasses`, the encoding of classes in the service table. */
export const traitsByIndex: readonly ClassTraits[] = serviceClasses.map((name) => classTraits[name])
export const classIndex = Object.fromEntries(serviceClasses.map((name, index) => [name, index])) as Readonly<
  Record<ServiceClass, number>
>
