import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { main } from '../main.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const launcher = resolve(import.meta.dirname, '../../bin/svc.js')

/** Stands in for a server, and answers what another file says. */
const answering = `
import { createServer } from 'node:http'
import { word } from './word.ts'
createServer((request, response) => response.end(word)).listen(process.env.SVC_PORT)
process.on('SIGTERM', () => {
  console.log('closing')
  process.exit(0)
})`

/** Stands in for Next's command. */
const nextInPlace = `
const [, , ...args] = process.argv
console.log(['next', ...args].join(' '))
require('node:http').createServer((_, response) => response.end()).listen(Number(args[2]))`

async function freePort() {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, listening))
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  await new Promise((closed) => server.close(closed))
  return port
}

it('svc dev starts the API again when a file changes, also a broken one, and ends it in order', async () => {
  const root = temporaryFolder({
    'package.json': '{ "type": "module" }',
    'server.ts': '',
    'main.ts': answering,
    'word.ts': `export const word = 'first'`,
  })
  const port = await freePort()
  const { DATABASE_URL, NODE_ENV, ...inherited } = process.env
  const child = spawn(process.execPath, ['--conditions=svc-source', launcher, 'dev'], {
    cwd: root,
    env: { ...inherited, SVC_PORT: `${port}` },
  })
  const ended = new Promise<number | null>((done) => child.on('close', done))
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const write = (text: string) => writeFileSync(join(root, 'word.ts'), text)
  const answer = async () => (await fetch(`http://localhost:${port}`)).text()
  const within = { timeout: 15_000, interval: 50 }

  await vi.waitFor(() => expect(output).toContain('Svc is running'), within)
  expect(output).toContain(`API         http://localhost:${port}`)
  expect(output).toContain('Sign in     admin@example.com')
  expect(await answer()).toBe('first')

  write('export const')
  await vi.waitFor(() => expect(output).toContain('SyntaxError'), within)
  write(`export const word = 'second'`)
  await vi.waitFor(async () => expect(await answer()).toBe('second'), within)

  output = ''
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(output).toContain('API │ closing')
})

it.each([
  ['localhost, as the API does,', {}, 'localhost'],
  ['the address of SVC_HOST', { SVC_HOST: '127.0.0.2' }, '127.0.0.2'],
])('svc dev has the web app listen on %s', async (_, given, hostname) => {
  const root = temporaryFolder({
    'package.json': '{ "type": "module" }',
    'server.ts': '',
    'main.ts': answering,
    'word.ts': `export const word = 'first'`,
    'web/package.json': '{}',
    'web/next.config.js': '',
    'web/node_modules/next/dist/bin/next': nextInPlace,
  })
  const [port, webPort] = [await freePort(), await freePort()]
  const { DATABASE_URL, NODE_ENV, SVC_HOST, ...inherited } = process.env
  const child = spawn(process.execPath, ['--conditions=svc-source', launcher, 'dev'], {
    cwd: root,
    env: { ...inherited, SVC_PORT: `${port}`, PORT: `${webPort}`, ...given },
  })
  const ended = new Promise<number | null>((done) => child.on('close', done))
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const said = `Web app │ next dev --port ${webPort} --hostname ${hostname}`
  await vi.waitFor(() => expect(output).toContain(said), { timeout: 15_000, interval: 50 })
})

it('svc start says what it looks for, where nothing starts the server', async () => {
  const here = process.cwd()
  process.chdir(temporaryFolder({ 'package.json': '{}', 'server.ts': '' }))
  onTestFinished(() => process.chdir(here))
  const err = vi.spyOn(console, 'error').mockReturnValue()
  expect(await main(['start'])).toBe(1)
  expect(err.mock.calls.join('\n')).toContain('There is no main.ts, which starts the server')
})
