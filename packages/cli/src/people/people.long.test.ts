import { describe, expect, it } from 'vitest'
import { code, patience, useBoard } from './test-people.ts'

const typed = useBoard()
const { svc } = typed

/** The cases follow one computer, in this order. */
describe('svc login', patience, () => {
  it('fails where the owner denies it, and leaves this computer signed out', async () => {
    const login = typed.board.begin('login')
    await typed.board.decide(await login.printed(code), 'deny')
    expect(await login.ended).toBe(1)
    expect(login.output()).toContain('DeviceAuthDeniedError')
    expect(await svc('whoami')).toMatchObject({ code: 1 })
  })
})
