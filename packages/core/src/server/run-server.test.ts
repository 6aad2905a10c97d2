import { describe, expect, it } from 'vitest'
import { runProgram } from './test-run-server.ts'

describe('runServer', () => {
  it('ends in order on SIGTERM, with 0', async () => {
    const { child, ended, url } = runProgram({})
    expect((await fetch(`${await url()}/_core/health`)).status).toBe(200)
    child.kill('SIGTERM')

    expect((await ended)[0]).toBe(0)
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
})
