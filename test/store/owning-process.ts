/** Takes a file, prints the problem with it, and releases it. With "killed", the process is killed while it mends. */
import { fillWords } from '../../src/store/archive/word-index.ts'
import { ownSessionFile } from '../../src/store/session-file.ts'

const [, , path, mode] = process.argv
const killed = (): void => void process.kill(process.pid, 'SIGKILL')

const { problem, release } = ownSessionFile(path, mode === 'killed' ? killed : fillWords)
console.log(problem)
release()
