import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestAuth, type TestAuth, type TestUser } from '../../testing.ts'
import { agentOptions, issuer, testAgents } from '../testing/test-agent.ts'
import published from './testing/test-published-clients.json' with { type: 'json' }

// What the makers of agents publish and register, as they write it: each reaches a token.

const { documents } = published
const signer = await generateKeyPair('RS256')
const keys = [{ ...(await exportJWK(signer.publicKey)), kid: 'theirs', use: 'sig', alg: 'RS256' }]

/** Stands in for the hosts of the makers: what is fetched says of itself that it is from here. */
const host = createServer((request, response) => {
  const document: object | undefined = documents[Number(request.url?.slice(1))]
  const said = document && {
    ...document,
    client_id: `${origin}${request.url}`,
    ...('jwks_uri' in document && { jwks_uri: `${origin}/jwks` }),
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(said ?? { keys }))
})
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
const named = `127.0.0.1:${(host.address() as AddressInfo).port}`
const origin = `http://${named}`

let auth: TestAuth
let agents: ReturnType<typeof testAgents>
let user: TestUser
beforeAll(async () => {
  const { authorizationServer } = agentOptions.options
  const clientDocuments = { hosts: [named] }
  auth = await startTestAuth({
    options: { authorizationServer: { ...authorizationServer, clientDocuments } },
  })
  agents = testAgents(auth)
  user = await auth.signedInUser()
})
afterAll(async () => {
  host.close()
  await auth.stop()
})

/** As the client asks for itself, by each address that it may come back to. */
async function reachesTokens(clientId: string, redirectUris: string[], clientSecret?: string) {
  for (const redirect_uri of redirectUris) {
    const agent = { clientId, ...(clientSecret !== undefined && { clientSecret }) }
    const allowed = await agents.allow(user, agent, { redirect_uri })
    const { status, body } = await agents.redeem(agent, allowed, {
      form: { redirect_uri, ...(clientSecret !== undefined && { client_secret: undefined }) },
      ...(clientSecret !== undefined && {
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      }),
    })
    expect({ status, redirect_uri }).toEqual({ status: 200, redirect_uri })
    expect(body).toMatchObject({ refresh_token: expect.any(String), scope: 'board' })
  }
}

const assertionOf = (clientId: string) =>
  new SignJWT()
    .setProtectedHeader({ alg: 'RS256', kid: 'theirs' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setJti(crypto.randomUUID())
    .setIssuedAt(auth.clock.now())
    .setExpirationTime(new Date(auth.clock.now().getTime() + 60_000))
    .sign(signer.privateKey)

describe('a client that others have written', () => {
  it.each(published.registrations)('registers and reaches a token: $client_name', async (given) => {
    const { status, body } = await auth.call('registerOAuth2Client', given)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { redirect_uris: given.redirect_uris },
    })
    const { client_id, client_secret } = body
    await reachesTokens(client_id, given.redirect_uris, client_secret)
  })

  it.each(documents.map((document, at) => ({ at, ...document })))(
    'is known by its document and reaches a token: $client_name',
    async ({ at, redirect_uris }) => {
      await reachesTokens(`${origin}/${at}`, redirect_uris)
    },
  )

  it('signs for its tokens where its document names a key: ChatGPT', async () => {
    const at = documents.findIndex(({ client_name: name }) => name === 'ChatGPT')
    const [redirect_uri = ''] = documents[at]?.redirect_uris ?? []
    const agent = { clientId: `${origin}/${at}` }
    const signed = async () => ({
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertionOf(agent.clientId),
    })
    const allowed = await agents.allow(user, agent, { redirect_uri })
    const { status, body } = await agents.redeem(agent, allowed, {
      form: { redirect_uri, ...(await signed()) },
    })
    expect({ status, body }).toMatchObject({ status: 200, body: { scope: 'board' } })
    const { refresh_token } = body
    expect(await agents.refresh(agent, refresh_token, { form: await signed() })).toMatchObject({
      status: 200,
    })
  })

  it('on this machine may come back to any port', async () => {
    const { body } = await auth.call('registerOAuth2Client', {
      redirect_uris: ['http://127.0.0.1'],
      token_endpoint_auth_method: 'none',
    })
    await reachesTokens(body.client_id, ['http://127.0.0.1:51234', 'http://127.0.0.1:51234/'])
  })
})
