/** The colors of pictures, of the landing page and of dashboards, stated once. */

/** The palette of Okabe and Ito, which people with any kind of color vision can distinguish. */
export const palette = {
  blue: '#0072B2',
  sky: '#56B4E9',
  green: '#009E73',
  yellow: '#F0E442',
  orange: '#E69F00',
  vermilion: '#D55E00',
  purple: '#CC79A7',
  gray: '#999999',
} as const

/** Colors of text that are legible on dark and on white: at least 3 : 1, which is required for large text. */
export const onAnyGround = {
  good: palette.green,
  watch: '#3A93D4',
  warning: '#A89500',
  serious: '#C98200',
  critical: '#C84B00',
  quiet: '#8C8C8C',
} as const

/** The color of each severity, from 0 to 4, on a dark cabinet. */
export const severityFills = [
  palette.green,
  palette.sky,
  palette.yellow,
  palette.orange,
  palette.vermilion,
] as const

export const themeNames = ['neutral', 'dark', 'light'] as const
export type ThemeName = (typeof themeNames)[number]

/** The colors that depend on the ground. */
export interface Theme {
  /** The page around a picture; null where it shows through. */
  readonly paper: string | null
  /** The floor of a room, and its frame. */
  readonly room: string
  readonly line: string
  /** A cable without traffic. */
  readonly link: string
  readonly ink: string
  readonly soft: string
  /** Racks and devices: dark on any ground, so that states have the same colors on all of them. */
  readonly cabinet: string
  readonly cabinetLine: string
  readonly cabinetInk: string
  /** Text about a severity, from 0 to 4. */
  readonly states: readonly [string, string, string, string, string]
}

const cabinet = { cabinet: '#12171e', cabinetLine: '#59636f', cabinetInk: '#dde3ea' } as const

export const themes: Readonly<Record<ThemeName, Theme>> = {
  neutral: {
    ...cabinet,
    paper: null,
    room: '#80868e14',
    line: '#80868e66',
    link: '#80868e66',
    ink: '#7c828b',
    soft: '#7c828b',
    states: [
      onAnyGround.good,
      onAnyGround.watch,
      onAnyGround.warning,
      onAnyGround.serious,
      onAnyGround.critical,
    ],
  },
  dark: {
    ...cabinet,
    cabinet: '#0a0e13',
    cabinetLine: '#475260',
    paper: '#10161d',
    room: '#171f29',
    line: '#2a3441',
    link: '#354354',
    ink: '#e4e9f0',
    soft: '#95a2b3',
    states: ['#5fd39a', '#6db3ff', '#f0e442', '#f0b45a', '#ff8a60'],
  },
  light: {
    ...cabinet,
    paper: '#fbfcfd',
    room: '#ffffff',
    line: '#dfe4ea',
    link: '#d3dae2',
    ink: '#1b2430',
    soft: '#5b6778',
    states: ['#1a7f4b', '#0b6bcb', '#786800', '#a15c00', '#b3400a'],
  },
}
