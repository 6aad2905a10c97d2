import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'

const core = new URL('../index.ts', import.meta.url).href

/** The program that every application's main file is, with what a test adds to it. */
function runProgram(env: Record<string, string>, definition = 'defineServer()') {
  const source = `
    import { defineRouter, defineServer, route, runServer } from '${core}'
    await runServer(${definition})
  `
  const child = spawn(
    process.execPath,
    ['--conditions=svc-source', '--input-type=module', '--eval', source],
    { env: { PATH: process.env.PATH, SVC_PORT: '0', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  const url = async () => {
    while (!output.includes('listening')) await once(child.stdout, 'data')
    const line = output.split('\n').find((each) => each.includes('listening'))
    return (JSON.parse(line ?? '') as { url: string }).url
  }
  return { child, ended, url, errors: () => errors }
}

describe('runServer', () => {
  it('ends in order on SIGTERM, with 0', async () => {
    const { child, ended, url } = runProgram({})
    expect((await fetch(`${await url()}/_core/health`)).status).toBe(200)
    child.kill('SIGTERM')

    expect((await ended)[0]).toBe(0)
  })

  it('ends at once on a second signal', async () => {
    const never = `defineServer().routes(defineRouter({
      hangs: route.get('/hangs').handler(() => new Promise(() => {})),
    }))`
    const { child, ended, url } = runProgram({}, never)
    const hanging = fetch(`${await url()}/hangs`).catch(() => 'cut')
    await new Promise((resolve) => setTimeout(resolve, 100))
    child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(child.exitCode).toBeNull()
    child.kill('SIGTERM')

    expect((await ended)[0]).toBe(1)
    expect(await hanging).toBe('cut')
  })

  it('ends at once on a second signal in the delay of a shutdown', async () => {
    const { child, ended, url } = runProgram({ SVC_SHUTDOWN_DELAY: '1m' })
    const ready = async () => (await fetch(`${await url()}/_core/health/ready`)).status
    expect(await ready()).toBe(200)
    child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect([await ready(), child.exitCode]).toEqual([503, null])
    child.kill('SIGTERM')

    expect((await ended)[0]).toBe(1)
  })

  it('says in one message what a person can put right, and exits with 1', async () => {
    const { ended, errors } = runProgram({ SVC_PORT: 'many', SVC_MIGRATE: 'perhaps' })

    expect((await ended)[0]).toBe(1)
    expect(errors()).toBe(
      'The environment has problems:\n' +
        '  SVC_PORT must be a whole number from 0 to 65535\n' +
        '  SVC_MIGRATE must be one of: auto, apply, refuse\n',
    )
  })

  it('needs no stack for a database that is not there', async () => {
    const { ended, errors } = runProgram({ DATABASE_URL: 'postgres://svc:hunter2@localhost:1/svc' })

    expect((await ended)[0]).toBe(1)
    expect(errors().trim().split('\n')).toHaveLength(1)
    expect(errors()).toContain('DATABASE_URL')
    expect(errors()).not.toContain('hunter2')
  })
})
