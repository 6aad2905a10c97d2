import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type Kind = 'HAProxy' | 'nginx' | 'Caddy'

interface Given {
  /** The example of the guide, with addresses of the test. */
  example: string
  folder: string
  port: number
}

interface Program {
  name: string
  version: string
  /** The name of its example in the guide. */
  example: string
  /** The whole of its configuration. */
  configuration: (given: Given) => string
  /** What starts it in the foreground. */
  args: (file: string, folder: string) => string[]
}

/** What the example says of sending a request again. The test wants none to need it. */
const retries = /^\s*(?:retries|option redispatch|lb_try_duration).*\n/gm

const programs: Record<Kind, Program> = {
  HAProxy: {
    name: 'haproxy',
    version: '-v',
    example: 'haproxy.cfg',
    configuration: ({ example, port }) =>
      example
        .replace(retries, '')
        .replace('mode http\n', 'mode http\n  retries 0\n')
        .replace(/bind .*/, `bind 127.0.0.1:${port}`),
    args: (file) => ['-db', '-q', '-f', file],
  },
  nginx: {
    name: 'nginx',
    version: '-v',
    example: 'nginx.conf',
    // It does not ask for health, so it has to go on to the next instance when one refuses its connection.
    configuration: ({ example, port, folder }) => `
worker_processes 2;
pid ${folder}/pid;
error_log ${folder}/error.log warn;
events { worker_connections 4096; }
http {
client_body_temp_path ${folder}/body;
proxy_temp_path ${folder}/proxy;
${example
  .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
  .replace(/^\s*ssl_.*\n/gm, '')
  .replace(/access_log \S+/, `access_log ${folder}/access.log`)}
}
`,
    args: (file, folder) => [
      '-p',
      folder,
      '-e',
      join(folder, 'error.log'),
      '-c',
      file,
      '-g',
      'daemon off;',
    ],
  },
  Caddy: {
    name: 'caddy',
    version: 'version',
    example: 'Caddyfile',
    configuration: ({ example, port }) =>
      `{\n\tadmin off\n}\n${example.replace(retries, '').replace('api.example.com', `http://127.0.0.1:${port}`)}`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
}

export const kinds = ['HAProxy', 'nginx', 'Caddy'] as const satisfies Kind[]

/** What a title says of a program that this machine lacks. */
export function missing(kind: Kind) {
  const { name, version } = programs[kind]
  return spawnSync(name, [version]).status === 0 ? '' : ` (no ${name} on PATH)`
}

export type Balancer = Awaited<ReturnType<typeof startBalancer>>

/** Starts a balancer with its example of the guide, before these instances. */
export async function startBalancer(kind: Kind, ports: readonly number[]) {
  const program = programs[kind]
  const folder = await mkdtemp(join(tmpdir(), `svc-${program.name}-`))
  const file = join(folder, program.example)
  const port = await freePort()
  const example = await exampleOf(program.example, ports)
  await writeFile(file, program.configuration({ example, folder, port }))
  // Caddy writes into these folders of its user.
  const folders = [`XDG_DATA_HOME=${folder}`, `XDG_CONFIG_HOME=${folder}`]
  const child = spawn('env', [...folders, program.name, ...program.args(file, folder)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = collect(child)
  // Its workers go with it.
  const killer = () => child.kill('SIGTERM')
  process.once('exit', killer)
  const url = `http://127.0.0.1:${port}`
  await untilReady(url, child, said)
  return {
    kind,
    url,
    /** Connections that an instance has closed with a request on its way: nginx sends a GET again, and no client notices. */
    async brokenConnections() {
      const log = await readFile(join(folder, 'error.log'), 'utf8').catch(() => '')
      return log
        .split('\n')
        .filter((line) => /prematurely closed|reset by peer|recv\(\)|broken pipe/i.test(line))
    },
    async stop() {
      const ended = once(child, 'exit')
      killer()
      await ended
      process.off('exit', killer)
      await rm(folder, { recursive: true })
    },
  }
}

const guide = new URL('../../../../../../docs/guide/rolling-restarts.md', import.meta.url)

async function exampleOf(name: string, ports: readonly number[]) {
  const page = await readFile(guide, 'utf8')
  const [, text = ''] =
    new RegExp(`^\`\`\`\\w*\\n# file: ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? []
  if (text === '') throw new Error(`${name} is not on the page.`)
  return ports.reduce(
    (filled, port, at) => filled.replace(`10.0.0.${at + 1}:8790`, `127.0.0.1:${port}`),
    text,
  )
}

function collect(child: ChildProcess) {
  const said: string[] = []
  child.stderr?.on('data', (text: Buffer) => said.push(text.toString()))
  return said
}

async function untilReady(url: string, child: ChildProcess, said: readonly string[]) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`It does not start: ${said.join('')}`)
    const answer = await fetch(`${url}/_core/health/ready`).catch(() => null)
    if (answer?.ok) return
    await wait(50)
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
