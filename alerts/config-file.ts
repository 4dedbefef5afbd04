import { readFileSync } from 'node:fs'
import { readSettings } from './config.ts'
import { defaultSettings } from './settings.ts'
import type { AlertSettings } from './settings.ts'

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder',
    }
    throw new Error(`--config: cannot read ${file}: ${reasons[code ?? ''] ?? message}.`, { cause: error })
  }
}

/** The settings of a config file, which lists what differs from the defaults; the defaults without one. */
export function settingsFrom(
  file: string | undefined,
  defaults: AlertSettings = defaultSettings,
): AlertSettings {
  if (file === undefined) return defaults
  const reading = readSettings(textOf(file), defaults)
  if ('settings' in reading) return reading.settings
  throw new Error(reading.problems.map((problem) => `${file}: ${problem}`).join('\n'))
}
