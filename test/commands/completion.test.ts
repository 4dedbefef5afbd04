import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { completionScript as script } from './completion-script.ts'
import { run } from './run.ts'

/** The completions of bash for the last word of a line. */
async function offered(line: string): Promise<string[]> {
  const words = line.split(' ').map((word) => `'${word}'`)
  const ask = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _dcsim_mirror; printf '%s\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', `${await script('bash')}\n${ask}`], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((word) => word !== '')
}

test('bash is offered commands, the flags of a command, and the values of a flag', async () => {
  expect(await offered('dcsim-mirror re')).toEqual(['record', 'report'])
  expect(await offered('dcsim-mirror --sc')).toEqual(['--scale', '--scenario'])
  expect(await offered('dcsim-mirror record --o')).toEqual(['--out'])
  expect(await offered('dcsim-mirror inspect --o')).toEqual([])
  expect(await offered('dcsim-mirror --scale ')).toEqual(['small', 'medium', 'large'])
  expect(await offered('dcsim-mirror --scenario ddos')).toEqual(['ddos-friday'])
  expect(await offered('dcsim-mirror completion f')).toEqual(['fish'])
  expect(await offered('dcsim-mirror he')).toEqual(['help'])
  expect(await offered('dcsim-mirror help re')).toEqual(['record', 'report'])
})

test('the words of an action are offered: kinds, targets and their restrictions', async () => {
  expect(await offered('dcsim-mirror act Switch')).toEqual(['SwitchFailure', 'Switch'])
  expect(await offered('dcsim-mirror act SwitchFailure co')).toEqual([
    'core',
    'core-uplink',
    'count',
    'configuration',
    'cooling',
    'correct',
  ])
  expect(await offered('dcsim-mirror act Attack bus')).toEqual(['busiest'])
  expect(await script('fish')).toContain("'__fish_seen_subcommand_from act' -x -a 'HostFailure ")
})

test('zsh uses the same through its own compatibility, fish has a line for each flag', async () => {
  expect(await script('zsh')).toContain('bashcompinit\n_dcsim_mirror() {')
  expect(await script('fish')).toContain("-l scale -x -a 'small medium large' -d 'Size of the world")
})

test('another shell is refused', async () => {
  const command = run(['completion', 'tcsh'])
  const [code] = await command.ended
  expect([code, command.err]).toEqual([2, 'SHELL: got "tcsh", expected one of bash, zsh, fish, powershell\n'])
})
