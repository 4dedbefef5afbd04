import { play } from './play.ts'
import type { Run } from './runs.ts'

/**
 * Plays one run in a process of its own: `node player.ts RUN FOLDER`, with the run as JSON. Prints the ground truth as
 * JSON.
 */
const [, , run, folder] = process.argv
process.stdout.write(JSON.stringify(play(JSON.parse(run) as Run, folder)))
