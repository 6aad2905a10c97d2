import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryTree } from '../temporary-tree.ts'
import {
  answering,
  freePort,
  listen,
  repository,
  repositoryWithWeb,
  script,
  start,
} from './test-start.ts'

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
})
