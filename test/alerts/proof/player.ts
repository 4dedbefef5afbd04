import { play } from './play.ts'
import type { Run } from './runs.ts'

/** Plays one run in a process of its own: `node player.ts RUN FOLDER`, the run as JSON. Tells what was true, as JSON. */
const [, , run, folder] = process.argv
process.stdout.write(JSON.stringify(play(JSON.parse(run) as Run, folder)))
