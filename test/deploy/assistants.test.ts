/** Checks docs/assistants.md against the program mcp-grafana itself. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { fileText } from '../containers/stack-file.ts'
import { optionalTool } from './manifests.ts'

const page = fileText('docs/assistants.md')
const program = optionalTool('mcp-grafana', '--version')

interface Server {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const block = /```json\n(?<text>[^]+?)```/.exec(page)!.groups!['text']
const server = (JSON.parse(block) as { mcpServers: Record<string, Server> }).mcpServers['dcsim']

interface Tool {
  readonly name: string
  readonly annotations?: { readonly readOnlyHint?: boolean }
}

/** The tools of the program with these arguments. It lists them without Grafana. */
async function toolsWith(args: readonly string[]): Promise<readonly Tool[]> {
  const env = { ...process.env, GRAFANA_URL: 'http://127.0.0.1:1' }
  const child = spawn(program!, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  const say = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = async (id: number, method: string, params: object): Promise<object> => {
    const answer = once(lines, 'line')
    say({ id, method, params })
    const [line] = (await answer) as [string]
    return (JSON.parse(line) as { result: object }).result
  }
  const client = { name: 'test', version: '1' }
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client })
  say({ method: 'notifications/initialized' })
  const { tools } = (await ask(2, 'tools/list', {})) as { tools: readonly Tool[] }
  return tools
}

test('the block asks the Grafana of the stack by the program of that name', () => {
  expect(server.command).toBe('mcp-grafana')
  expect(server.env).toEqual({ GRAFANA_URL: 'http://127.0.0.1:3000' })
})

test.skipIf(program === null)(
  'the block offers what the page names, and nothing that changes Grafana (skipped where it is not installed)',
  async () => {
    const tools = await toolsWith(server.args)
    const names = tools.map(({ name }) => name)
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
    for (const [, name] of page.matchAll(/\| `(\w+)`/g)) expect(names).toContain(name)
    const [, few, all] = /: (\d+) remain of (\d+)/.exec(page)!
    expect(names).toHaveLength(Number(few))
    expect(await toolsWith(['--disable-write'])).toHaveLength(Number(all))
  },
)
