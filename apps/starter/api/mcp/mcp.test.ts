import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { startTestAuth } from '@svc/auth/testing'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import server from '../server.ts'
import { testAgent } from './test-agent.ts'

const starter = await startTestAuth({ definition: server })
afterAll(() => starter.stop())

const admin = await starter.signedInUser({ role: 'admin', email: 'ada@example.com' })
const user = await starter.signedInUser()
const root = await starter.signedInUser({ role: 'superadmin' })
// To let an agent in takes a fresh proof.
beforeEach(() => Promise.all([admin, user, root].map(starter.proveRecent)))

async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: given })
  const [{ text }] = content as [{ text: string }]
  return { isError, text, value: isError ? undefined : JSON.parse(text) }
}

const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

const board = async () => (await (await starter.fetch('/notices')).json()).data

const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

const send = (token: string, body: unknown = message, headers: Record<string, string> = {}) =>
  starter.fetch('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  })

describe('an agent of the MCP SDK', () => {
  it('goes from a 401 to a tool call, keeps its tokens fresh and ends with its grant (A-269)', async () => {
    const agent = testAgent(starter, admin)
    const { client, first, answer } = await agent.connect()
    expect(first).toBeInstanceOf(UnauthorizedError)
    expect(answer.get('iss')).toBe('http://localhost:3790')
    expect(await toolsOf(client)).toEqual([
      'listNotices',
      'createNotice',
      'createInvitation',
      'listAuditEvents',
    ])

    const posted = await call(client, 'createNotice', { text: 'From an agent' })
    expect(posted.value).toMatchObject({ text: 'From an agent', author: 'ada' })
    expect(await board()).toEqual([posted.value])
    expect((await call(client, 'listNotices')).value.data).toEqual([posted.value])

    const before = agent.kept.tokens
    starter.clock.advance('61m')
    expect(await toolsOf(client)).toContain('createNotice')
    expect(agent.kept.tokens?.access_token).not.toBe(before?.access_token)
    expect(agent.kept.tokens?.refresh_token).not.toBe(before?.refresh_token)

    const { body } = await starter.call('listOAuth2Grants', undefined, admin.key)
    expect(body.grants).toMatchObject([{ clientName: 'Agent of the tests', resource: '/mcp' }])
    const [{ grantId }] = body.grants
    await starter.call('revokeOAuth2Grant', undefined, admin.key, { params: { grantId } })
    expect((await send(agent.kept.tokens?.access_token ?? '')).status).toBe(401)
    await expect(client.listTools()).rejects.toBeInstanceOf(UnauthorizedError)
  })
})

describe('tools', () => {
  it('are those that the account may use, and a call of another does nothing', async () => {
    const { client } = await testAgent(starter, user).connect()
    expect(await toolsOf(client)).toEqual(['listNotices'])
    const before = await board()
    expect(await call(client, 'createNotice', { text: 'Not from me' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('notice:write'),
    })
    expect(await board()).toEqual(before)
    await expect(call(client, 'no_such_tool')).rejects.toThrow('no such tool')
  })

  it('are those that the user has allowed the agent', async () => {
    const { client } = await testAgent(starter, admin, 'notice:read').connect()
    expect(await toolsOf(client)).toEqual(['listNotices'])
    // Its SDK refreshes its tokens first, which gives no more scopes, and says what it got.
    await expect(call(client, 'listAuditEvents')).rejects.toThrow('403')
  })

  it('take what their routes take, and say what is wrong', async () => {
    const { client } = await testAgent(starter, admin).connect()
    for (const given of [{}, { text: '' }, { text: 'x'.repeat(501) }, { text: 'a\0b' }]) {
      expect(await call(client, 'createNotice', given)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^(?:ValidationError: .*: text |BadRequestError: )/),
      })
    }
  })

  it('invite, into a role without power, and leave a trail', async () => {
    const role = { name: 'guest', displayName: 'Guest' }
    expect(await starter.call('createAdminRole', role, root.key)).toMatchObject({ status: 201 })
    const { client } = await testAgent(starter, admin).connect()
    const invited = await call(client, 'createInvitation', {
      email: 'eve@example.com',
      role: 'guest',
    })
    expect(invited.value).toMatchObject({ email: 'eve@example.com', role: 'guest' })
    const trail = await call(client, 'listAuditEvents', { limit: 1 })
    expect(trail.value.data).toMatchObject([
      {
        act: 'invitation.created',
        actor: admin.userId,
        details: { agent: { clientId: expect.any(String), grantId: expect.any(String) } },
      },
    ])
    const narrow = await testAgent(starter, admin, 'user:invite').connect()
    // A user may read the board here, which is power.
    const given = { email: 'max@example.com', role: 'user' }
    for (const agent of [client, narrow.client]) {
      expect(await call(agent, 'createInvitation', given)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^ForbiddenError: /),
      })
    }
  })
})

describe('POST /mcp', () => {
  it('is for access tokens alone: a signature of a device does not open it', async () => {
    const url = `${starter.url}/mcp`
    const body = JSON.stringify(message)
    const signed = await starter.signerOf(admin.key)({ method: 'POST', url, body })
    const headers = { 'content-type': 'application/json', ...signed }
    const answer = await fetch(url, { method: 'POST', headers, body })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain(
      `resource_metadata="${starter.url}/.well-known/oauth-protected-resource/mcp"`,
    )
  })

  it('takes one message at a time, and answers no other method', async () => {
    const agent = testAgent(starter, user)
    await agent.connect()
    const token = agent.kept.tokens?.access_token ?? ''
    expect((await send(token)).status).toBe(200)
    expect((await send(token, [message, message])).status).toBe(400)
    expect((await send(token, message, { accept: 'application/json' })).status).toBe(406)
    for (const method of ['GET', 'DELETE']) {
      const answer = await starter.fetch('/mcp', { method })
      expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
        status: 405,
        allow: 'POST',
      })
    }
  })

  it('is in the OpenAPI document', async () => {
    const { paths } = await (await starter.fetch('/_core/openapi.json')).json()
    expect(Object.keys(paths['/mcp'])).toEqual(['post'])
  })
})
