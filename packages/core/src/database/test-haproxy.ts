import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../testing/free-port.ts'
import { killProgram, launchProgram } from '../testing/test-program.ts'

/** What a title says where this machine has no HAProxy. */
export const missingHaproxy =
  spawnSync('haproxy', ['-v']).status === 0 ? '' : ' (no haproxy on PATH)'

/**
 * One address for a primary and its standby, as Patroni's guide has it: HAProxy asks an agent beside each which of them
 * takes writes, and ends the connections to one that no longer does.
 */
export async function startTestHaproxy(databaseUrls: readonly string[]) {
  const agents = await Promise.all(databaseUrls.map(startAgent))
  const folder = await mkdtemp(join(tmpdir(), 'svc-haproxy-'))
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const servers = databaseUrls.map((url, index) => {
    const { hostname, port: at } = new URL(url)
    return `  server postgres${index} ${hostname}:${at} check port ${agents[index]?.port}`
  })
  await writeFile(
    file,
    [
      'listen postgres',
      '  mode tcp',
      `  bind 127.0.0.1:${port}`,
      '  timeout connect 2s',
      '  timeout client 60s',
      '  timeout server 60s',
      '  option httpchk GET /primary',
      '  default-server inter 200ms fall 2 rise 1 on-marked-down shutdown-sessions',
      ...servers,
      '',
    ].join('\n'),
  )
  const program = await launchProgram('haproxy', ['-db', '-q', '-f', file], port)
  const url = new URL(databaseUrls[0] ?? '')
  url.port = String(port)
  // It takes both for good until it has asked twice, and goes from one to the other.
  for (let good = 0; good < 4; ) good = (await takesWrites(url.href)) ? good + 1 : 0
  return {
    url: url.href,
    async stop() {
      await killProgram(program)
      for (const { server } of agents) server.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Answers 200 while its PostgreSQL takes writes. */
async function startAgent(databaseUrl: string) {
  const server = createServer((_request, response) => {
    void takesWrites(databaseUrl).then((does) => response.writeHead(does ? 200 : 503).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

async function takesWrites(connectionString: string) {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select pg_is_in_recovery() as "isStandby"')
    return rows[0]?.isStandby === false
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
