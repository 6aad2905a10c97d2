import { setTimeout as wait } from 'node:timers/promises'
import type { TestServer } from '@svc/core/testing'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestAuth, type TestAuth } from '../../testing.ts'
import { testAgents } from '../testing/test-agent.ts'
import { agentApp } from '../testing/test-agent-app.ts'

const auth = await startTestAuth(agentApp)
afterAll(auth.stop)

const kept = (at: TestAuth = auth) =>
  at.auth.db.$count(sql`svc_auth.oauth2_tokens`, sql`successor is not null`)

describe('the end of the window, in real time', () => {
  /** Servers on one database whose window is a second. */
  async function startShort() {
    const short = await startTestAuth({
      ...agentApp,
      env: { SVC_AUTH_OAUTH2_REFRESH_REUSE_SECONDS: '1' },
    })
    const inRealTime = (server: TestServer) => {
      server.clock.now = () => new Date()
      return server
    }
    inRealTime(short.server)
    const at = testAgents(short)
    const by = await at.register()
    const owner = await short.signedInUser()
    return {
      short,
      secondInstance: async () => inRealTime(await short.secondInstance()),
      /** Refreshes at one of the servers, and asks nothing more. */
      spend: async (server: TestServer = short.server) => {
        const { refresh_token } = await at.tokens(owner, by)
        const { status } = await at.refresh(by, refresh_token, { at: server })
        expect(status).toBe(200)
      },
    }
  }

  /** About a second after the window, at the latest. */
  const areGone = (at: TestAuth) =>
    expect.poll(() => kept(at), { timeout: 2500, interval: 50 }).toBe(0)

  it('deletes what is kept, although no other request comes', async () => {
    const { short, spend } = await startShort()
    for (let round = 0; round < 2; round++) {
      await spend()
      const spentAt = Date.now()
      await spend()
      await areGone(short)
      expect(Date.now() - spentAt).toBeGreaterThan(1000)
    }
    await short.stop()
  })

  it('deletes what is kept with two servers, each alone and both', async () => {
    const { short, spend, secondInstance } = await startShort()
    const second = await secondInstance()
    for (const servers of [[second], [short.server, second], [short.server]]) {
      for (const server of servers) await spend(server)
      expect(await kept(short)).toBe(servers.length)
      await areGone(short)
    }
    await short.stop()
  })

  it('deletes what a server that is gone has kept: at the next refresh, and as another starts', async () => {
    const { short, spend, secondInstance } = await startShort()
    const leave = async () => {
      const gone = await secondInstance()
      await spend(gone)
      await gone.stop()
      await wait(1000)
      expect(await kept(short)).toBe(1)
    }
    await leave()
    await spend()
    await areGone(short)
    await leave()
    await secondInstance()
    expect(await kept(short)).toBe(0)
    await short.stop()
  })
})
