import { describe, expect, it } from 'vitest'
import { runProgram } from './test-run-server.ts'

describe('runServer', () => {
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

  it('needs no stack for a database that is not there', async () => {
    const { ended, errors } = runProgram({ DATABASE_URL: 'postgres://svc:hunter2@localhost:1/svc' })

    expect((await ended)[0]).toBe(1)
    expect(errors().trim().split('\n')).toHaveLength(1)
    expect(errors()).toContain('DATABASE_URL')
    expect(errors()).not.toContain('hunter2')
  })
})
