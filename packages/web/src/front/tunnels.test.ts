import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { serveWebApp } from './front.ts'

const next = `module.exports = () => ({
  prepare: async () => {},
  getRequestHandler: () => async (incoming, outgoing) => outgoing.end('a page'),
  close: async () => {},
})`

/** A folder with an app whose Next answers each request in the same way. */
async function builtApp() {
  const folder = await mkdtemp(join(tmpdir(), 'svc-app-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'node_modules', 'next'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{}')
  await writeFile(join(folder, 'node_modules', 'next', 'index.js'), next)
  return folder
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

it('goes on serving when clients that ask for a tunnel reset their connections', async () => {
  const port = await freePort()
  const app = await serveWebApp({ folder: await builtApp(), port, host: '127.0.0.1' })
  onTestFinished(() => app.stop())
  const failures: Error[] = []
  const note = (error: Error) => void failures.push(error)
  process.on('uncaughtException', note)
  onTestFinished(() => void process.off('uncaughtException', note))
  for (let at = 0; at < 50; at++) {
    const client = connect(port, '127.0.0.1')
    client.on('error', () => {})
    await once(client, 'connect')
    client.write('CONNECT elsewhere.test:80 HTTP/1.1\r\nHost: elsewhere.test\r\n\r\n')
    await new Promise(setImmediate)
    client.resetAndDestroy()
  }
  await wait(100)
  expect(failures).toEqual([])
  expect(await (await fetch(app.url)).text()).toBe('a page')
})
