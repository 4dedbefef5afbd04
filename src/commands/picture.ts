/** Fetches a picture of a running mirror. */
import { commonInfoFlags } from '../options/command.ts'
import { OptionError } from '../options/parse-options.ts'
import { pictureSettings } from '../options/picture-settings.ts'
import { askServer } from '../command-line/ask-server.ts'
import { commandFrom, reportFailure } from '../command-line/command-line.ts'
import { splitOnce } from '../text/split-once.ts'
import { writeTextFile } from '../command-line/files/write-text-file.ts'

const names = 'floor, network, power, rack, incident or cable'

export const pictureCommand = {
  name: 'picture',
  usage: 'picture NAME [OPTIONS]',
  summary: 'Draws a running world as SVG, such as its floor.',
  settings: pictureSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror picture floor --out floor.svg --theme dark'],
  argument: { placeholder: 'NAME', help: `The picture: ${names}.`, advice: `expected ${names}` },
} as const

const timeoutMs = 30_000

/** The detail of a problem document; the text itself if it is none. */
function detailOf(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown }
    return typeof detail === 'string' ? detail : text
  } catch {
    return text.slice(0, 200)
  }
}

export async function runPicture(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(pictureCommand, words, environment)
  if (command === null) return
  const { argument: name, options } = command
  const { url, out, filter, theme } = options
  const filters = filter.split(',').filter((pair) => pair !== '')
  const wrong = filters.find((pair) => !pair.includes('='))
  if (wrong !== undefined)
    throw new OptionError(`--filter: got ${JSON.stringify(wrong)}, expected NAME=VALUE`)
  const query = new URLSearchParams([...filters.map((pair) => splitOnce(pair, '=')), ['theme', theme]])
  const address = `${url}/pictures/${encodeURIComponent(name)}.svg?${query}`
  let text = ''
  try {
    const answer = await askServer(address, { timeoutMs })
    if (!answer.isOk) return reportFailure(`The mirror refused: ${detailOf(answer.text)}`)
    text = answer.text
  } catch (error) {
    const reason = (error as Error).message
    return reportFailure(
      `No picture from ${url}: ${reason}. Is a mirror running there? Name another with --url.`,
    )
  }
  if (out === '') {
    process.stdout.write(text)
    return
  }
  const problem = writeTextFile(out, text)
  if (problem === null) console.log(`Wrote ${out}.`)
  else reportFailure(problem)
}
