import { defineRouter, defineServer, documentedRoutes, openApi, route } from '@svc/core'
import { desc, eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { sealRows } from '../audit/chain/seal-rows.ts'
import { auditEvents } from '../audit/schema.ts'
import { authenticate, optionalAuth } from '../authenticate/authenticate.ts'
import { createAuthLifecycle } from '../lifecycle.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { authRouter } from '../router.ts'
import { startTestAuth, type TestKey } from '../testing.ts'
import { trailOf } from '../trail/testing/trail.ts'
import { answerOf, startSigning } from './testing/test-application.ts'
import { signMessage } from './testing/test-message.ts'

const on = await startSigning()
const off = await startSigning({ messageSignatures: false })
afterAll(() => Promise.all([on.auth.stop(), off.auth.stop()]))
const { auth, user, machine, ask } = on

describe('an application that has not turned message signatures on', () => {
  it('reads no such header: a request is as signed as without it', async () => {
    expect(await off.ask()).toMatchObject({ status: 401, code: 'UnauthorizedError' })
    expect(await off.ask({ path: '/maybe' })).toMatchObject({ status: 200, body: { userId: null } })
    const url = `${off.auth.url}/me`
    const signed = await signMessage(off.machine, { url, now: off.auth.clock.now() })
    const token = await off.auth.signerOf(off.user.key)({ method: 'GET', url, body: '' })
    const both = await answerOf(url, { headers: { ...signed, ...token } })
    expect(both).toMatchObject({ status: 200, body: { kind: 'device' } })
  })
})

describe('an application that has turned them on', () => {
  const router = defineRouter({
    me: route.get('/me').handler(() => 'me'),
    open: route
      .get('/open')
      .skip(['auth'])
      .handler(() => 'open'),
    maybe: route
      .get('/maybe')
      .use([optionalAuth])
      .handler(() => 'maybe'),
  })
  const documentOf = (machines?: { messageSignatures: boolean }) => {
    const definition = defineServer()
      .lifecycle(createAuthLifecycle(machines && { machines }))
      .routes(router.packages([authRouter]).use([authenticate]))
    const info = { title: 'x', version: '1' }
    return JSON.parse(JSON.stringify(openApi(documentedRoutes(definition), info)))
  }

  it('says in OpenAPI what a request may have in place of a token', () => {
    const { paths, components } = documentOf({ messageSignatures: true })
    const message = { signatureInput: [], signature: [] }
    expect(paths['/me'].get.security).toEqual([{ requestJwt: [] }, message])
    expect(paths['/maybe'].get.security).toEqual([{ requestJwt: [] }, message, {}])
    expect(paths['/open'].get.security).toEqual([])
    expect(components.securitySchemes.signature).toMatchObject({ in: 'header', name: 'signature' })
    for (const without of [documentOf(), documentOf({ messageSignatures: false })]) {
      expect(without.paths['/me'].get.security).toEqual([{ requestJwt: [] }])
      expect(without.components.securitySchemes.signature).toBeUndefined()
    }
  })

  it('is told at its start what to write, if it has written something else', async () => {
    for (const machines of [{ messageSignature: true }, { messageSignatures: 'yes' }, 'on'])
      await expect(startTestAuth({ options: { machines } as object })).rejects.toThrow(
        'write machines: { messageSignatures: true }',
      )
  })

  it('takes a signature that changes something once, on every instance, and the id of a token as well', async () => {
    const other = await auth.secondInstance()
    const now = auth.clock.now()
    const host = { 'x-forwarded-host': 'api.example.com' }
    const signed = async (method: string, path: string, nonce?: string) => {
      const url = `https://api.example.com${path}`
      const paramValues = nonce === undefined ? {} : { nonce }
      return { ...(await signMessage(machine, { url, method, now, paramValues })), ...host }
    }
    const poke = { method: 'POST', headers: await signed('POST', '/poke') }
    expect(await answerOf(`${auth.url}/poke`, poke)).toMatchObject({ status: 200 })
    for (const { url } of [auth, other])
      expect(await answerOf(`${url}/poke`, poke)).toMatchObject({ code: 'RequestReplayedError' })

    const reading = { headers: await signed('GET', '/me') }
    for (const { url } of [auth, other, auth])
      expect(await answerOf(`${url}/me`, reading)).toMatchObject({ status: 200 })

    const token = await auth.signerOf(machine)({
      method: 'POST',
      url: `${auth.url}/poke`,
      body: '',
    })
    expect(await answerOf(`${auth.url}/poke`, { method: 'POST', headers: token })).toMatchObject({
      status: 200,
    })
    const { jti } = JSON.parse(
      Buffer.from(token['authorization']?.split('.')[1] ?? '', 'base64url').toString(),
    )
    const again = { method: 'POST', headers: await signed('POST', '/poke', jti) }
    expect(await answerOf(`${auth.url}/poke`, again)).toMatchObject({
      code: 'RequestReplayedError',
    })
    await other.stop()
  })

  it('keeps what proves that the key has signed, and finds where it was changed', async () => {
    const { verify, findingsAfter, seal } = trailOf(auth)
    const now = () => auth.clock.now()
    const own: TestKey = await machineOf(auth, user)
    const path = '/_auth/logout'
    expect(await ask({ path, method: 'POST', key: own })).toMatchObject({ status: 204 })
    const { db } = auth.auth
    const [row] = await db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.keyId, own.keyId))
      .orderBy(desc(auditEvents.auditId))
    expect(row).toMatchObject({ act: 'key.logout' })
    expect(row?.proof).toMatch(/^rfc9421\n"@method": POST\n"@target-uri": http:.*\/_auth\/logout\n/)
    auth.clock.advance('10m')
    await seal()
    const proofs = { proofs: true }
    expect(await verify(proofs)).toMatchObject({ findings: [], proofs: { keyIsGone: 0 } })
    const kept = row?.proof ?? ''
    const forged: [string, string][] = [
      [own.keyId, kept.replace('POST', 'GET')],
      [machine.keyId, kept],
      [own.keyId, kept.replace(own.keyId, machine.keyId)],
      [own.keyId, 'rfc9421'],
      [own.keyId, 'rfc9421\nx'],
    ]
    const found = await findingsAfter(async (tx) => {
      for (const [keyId, proof] of forged)
        await tx
          .insert(auditEvents)
          .values({ at: now(), act: 'key.logout', outcome: 'done', keyId, proof })
      await sealRows(tx, { now: now(), most: 10 })
    }, proofs)
    expect(found.map(([what]) => what)).toEqual(forged.map(() => 'proof'))
  })
})
