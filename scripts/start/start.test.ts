import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryTree } from '../temporary-tree.ts'

const script = resolve(import.meta.dirname, 'start.ts')

const answering = `
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
function repository(api: string, others: Record<string, string> = {}) {
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

function repositoryWithWeb() {
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

async function start(root: string, env: NodeJS.ProcessEnv, args = ['--api']) {
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

async function listen() {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return { port, close: () => new Promise((done) => server.close(done)) }
}

async function freePort() {
  const { port, close } = await listen()
  await close()
  return port
}

describe('npm start -- --api', () => {
  it('builds, starts the API with development secrets, and ends it in order', async () => {
    const root = repository(answering)
    const port = await freePort()
    const { child, exit, output } = await start(root, { SVC_PORT: `${port}` })

    expect(output()).toContain(`API         http://localhost:${port}`)
    expect(output()).toContain('API │ secret of 43')
    expect(output()).toMatch(/Sign in {5}admin@example\.com {3}password: [\w-]{16}\n/)
    expect(existsSync(join(root, 'a.js'))).toBe(true)

    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    expect(output()).toContain('API │ closing')
  })

  it('shows no password that a user has given', async () => {
    const { output } = await start(repository(answering), {
      SVC_PORT: `${await freePort()}`,
      SVC_AUTH_ADMIN_EMAIL: 'own@example.com',
      SVC_AUTH_ADMIN_PASSWORD: 'a password of my own',
    })

    expect(output()).toContain('Svc is running')
    expect(output()).not.toContain('password')
  })

  it('fails when the API dies, and shows once what it printed', async () => {
    const root = repository(`console.error('no database')\nprocess.exit(3)`)
    const { exit, output } = await start(root, { SVC_PORT: `${await freePort()}` })

    expect(await exit).toBe(1)
    expect(output()).toContain('API ended with code 3. Its output is above.')
    expect(output().match(/no database/g)).toHaveLength(1)
  })

  it('says what to type when a port is taken', async () => {
    const { port } = await listen()
    const { exit, output } = await start(repository(answering), { SVC_PORT: `${port}` })

    expect(await exit).toBe(1)
    const typed = /Port (\d+) is taken\. Choose another one: SVC_PORT=\d+ npm start -- --api\n$/
    expect(output().match(typed)?.[1]).toBe(`${port}`)
  })

  it('is --api-only as well', async () => {
    const port = await freePort()
    const { output } = await start(repository(answering), { SVC_PORT: `${port}` }, ['--api-only'])
    expect(output()).toContain('Svc is running')
  })

  it.each([
    ['--api-olny', 'npm start does not take "--api-olny". Did you mean "--api-only"?\n'],
    ['--frob', 'npm start does not take "--frob". See "npm start -- --help".\n'],
    ['frob', 'npm start does not take "frob". See "npm start -- --help".\n'],
  ])('refuses %s in one line, exit 2', async (flag, line) => {
    const { exit, output } = await start(temporaryTree({}), {}, [flag])
    expect(await exit).toBe(2)
    expect(output()).toBe(line)
  })

  it('loads nothing of the packages, which it builds first', () => {
    const hooks = `import { registerHooks } from 'node:module'
      registerHooks({ resolve(name, context, next) {
        if (name.startsWith('@svc/')) throw new Error('not built yet: ' + name)
        return next(name, context)
      } })`
    const ahead = `data:text/javascript,${encodeURIComponent(hooks)}`
    const { status, stderr } = spawnSync(process.execPath, ['--import', ahead, script, '--help'])
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' })
  })

  it('shows what a failed build printed', async () => {
    const { exit, output } = await start(
      temporaryTree({ 'tsconfig.build.json': '{ "files": ["missing.ts"] }' }),
      { SVC_PORT: `${await freePort()}` },
    )

    expect(await exit).toBe(1)
    expect(output()).toContain('missing.ts')
    expect(output()).toContain('Building the packages failed')
  })
})

describe('npm start', () => {
  it('runs both parts, builds the web app once, and ends both', { timeout: 60_000 }, async () => {
    const root = repositoryWithWeb()
    const ports = { SVC_PORT: `${await freePort()}`, PORT: `${await freePort()}` }
    const builds = () => readFileSync(join(root, 'builds'), 'utf8').length

    for (const _time of ['first', 'second']) {
      const { child, exit, output } = await start(root, ports, [])
      expect(output()).toContain(`Web app     http://localhost:${ports.PORT}`)
      expect(output()).toContain(`start for production http://localhost:${ports.SVC_PORT}`)
      expect(builds()).toBe(1)
      child.kill('SIGINT')
      expect(await exit).toBe(0)
    }

    writeFileSync(join(root, 'apps/starter/web/page.tsx'), '// changed')
    const { child, exit } = await start(root, ports, [])
    expect(builds()).toBe(2)

    const others = { SVC_PORT: `${await freePort()}`, PORT: `${await freePort()}` }
    const second = await start(root, others, [])
    expect(await second.exit).toBe(1)
    expect(second.output()).toContain(`is already running, at http://localhost:${ports.PORT}`)
    expect(builds()).toBe(2)
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  it('gives each part a port of its own', async () => {
    const port = `${await freePort()}`
    const { exit, output } = await start(repositoryWithWeb(), { SVC_PORT: port, PORT: port }, [])
    expect(await exit).toBe(1)
    expect(output()).toContain(`SVC_PORT and PORT are both ${port}.`)
  })

  it('names both ports where both are taken, and others that are free', async () => {
    const [api, web] = [await listen(), await listen()]
    const ports = { SVC_PORT: `${api.port}`, PORT: `${web.port}` }
    const { exit, output } = await start(repositoryWithWeb(), ports, [])
    expect(await exit).toBe(1)
    const [, taken = '', ...others] =
      /Ports (\d+ and \d+) are taken\. Choose others: SVC_PORT=(\d+) PORT=(\d+) npm start\n$/.exec(
        output(),
      ) ?? []
    expect(taken).toBe(`${api.port} and ${web.port}`)
    expect(new Set([...others, `${api.port}`, `${web.port}`]).size).toBe(4)
  })

  it('names a port again that was given with the command, where the other one is taken', async () => {
    const { port } = await listen()
    const ports = { SVC_PORT: `${await freePort()}`, PORT: `${port}` }
    const { exit, output } = await start(repositoryWithWeb(), ports, [])
    expect(await exit).toBe(1)
    expect(output()).toMatch(
      new RegExp(`Choose another one: SVC_PORT=${ports.SVC_PORT} PORT=\\d+ npm start\n$`),
    )
  })
})
