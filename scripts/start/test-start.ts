import { spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryTree } from '../temporary-tree.ts'

export const script = resolve(import.meta.dirname, 'start.ts')

export const answering = `
import { createServer } from 'node:http'
createServer((request, response) => {
  response.statusCode = request.url === '/_core/health/ready' ? 200 : 404
  response.end()
}).listen(process.env.SVC_PORT, () => console.log('secret of', process.env.SVC_AUTH_SESSION_SECRET.length))
process.on('SIGTERM', () => {
  console.log('closing')
  process.exit(0)
})`

/** A repository whose API is a stand-in, and which has a package to build. */
export function repository(api: string, others: Record<string, string> = {}) {
  return temporaryTree({
    ...others,
    'package.json': '{ "type": "module" }',
    'tsconfig.build.json':
      '{ "files": ["a.ts"], "compilerOptions": { "types": [], "composite": true } }',
    'a.ts': 'export const a = 1\n',
    'apps/starter/api/main.ts': api,
  })
}

/** Stands in for Next's command: a build writes an id. */
const next = `
require('node:fs').mkdirSync('.next', { recursive: true })
require('node:fs').writeFileSync('.next/BUILD_ID', 'built')
require('node:fs').appendFileSync('../../../builds', 'x')`

/** Stands in for the front, which answers on its port. */
const front = `
const [, , , port] = process.argv
console.log('start for', process.env.NODE_ENV, process.env.NEXT_PUBLIC_SVC_API_URL)
require('node:http').createServer((request, response) => response.end()).listen(port)`

export function repositoryWithWeb() {
  return repository(answering, {
    'package-lock.json': '{}',
    'packages/core/src/a.ts': '',
    'packages/auth/src/a.ts': '',
    'packages/web/src/a.ts': '',
    'apps/starter/web/package.json': '{}',
    'apps/starter/web/page.tsx': '',
    'apps/starter/web/node_modules/next/package.json': '{ "name": "next" }',
    'apps/starter/web/node_modules/next/dist/bin/next': next,
    'apps/starter/web/node_modules/@svc/web/package.json': '{ "name": "@svc/web" }',
    'apps/starter/web/node_modules/@svc/web/bin/svc-web.js': front,
  })
}

export async function start(root: string, env: NodeJS.ProcessEnv, args = ['--api']) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
  })
  let output = ''
  const exit = new Promise<number | null>((done) => child.on('close', done))
  onTestFinished(async () => {
    child.kill()
    await exit
  })
  const running = new Promise<void>((done) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('Svc is running')) done()
      })
    }
  })
  await Promise.race([running, exit])
  return { child, exit, output: () => output }
}

export async function listen() {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return { port, close: () => new Promise((done) => server.close(done)) }
}

export async function freePort() {
  const { port, close } = await listen()
  await close()
  return port
}
