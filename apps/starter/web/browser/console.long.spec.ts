import { randomUUID } from 'node:crypto'
import { createTestKey } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { openConsole, operator } from './console-operator.ts'
import { app } from './running-web-app.ts'
import { encryptionKey, verificationSecret } from './test-web-app.ts'

describe('the console, on a phone', () => {
  it('ends the key of a machine, whose next request is refused', async () => {
    const owner = await app.api.signedInUser()
    const { registration, ...machine } = await createTestKey()
    const deviceName = `Report ${randomUUID().slice(0, 8)}`
    const body = { ...registration, deviceName, permissions: [] }
    expect((await app.api.call('createMachineKey', body, owner.key)).status).toBe(200)
    const { page, open, click, see } = await openConsole()
    await open('/admin/programs')
    await page.getByRole('link', { name: owner.email }).waitFor()
    await page.getByRole('button', { name: `End ${deviceName}` }).click()
    await click('Yes, end it')
    await see('The key has ended.')
    await page.getByRole('heading', { name: deviceName }).waitFor({ state: 'detached' })
    expect((await app.api.call('getAuthSession', undefined, machine)).status).toBe(401)
  })

  it('lists agents with where they send their users', async () => {
    const client_name = `Agent ${randomUUID().slice(0, 8)}`
    const redirect_uris = ['http://127.0.0.1:7777/callback']
    const body = { client_name, redirect_uris, token_endpoint_auth_method: 'none' }
    expect((await app.api.call('registerOAuth2Client', body)).status).toBe(201)
    const { page, open } = await openConsole()
    await open('/admin/programs')
    const row = page.getByRole('listitem').filter({ hasText: client_name })
    await row.getByText('127.0.0.1:7777').waitFor()
    await row.getByText('Active grants: 0').waitFor()
  })

  it('ends the access of an agent to an account', async () => {
    const user = await app.api.signedInUser()
    const client_name = `Agent ${randomUUID().slice(0, 8)}`
    const redirect_uris = ['http://127.0.0.1:7777/callback']
    const body = { client_name, redirect_uris, token_endpoint_auth_method: 'none' }
    const { client_id } = (await app.api.call('registerOAuth2Client', body)).body
    await app.api.auth.db.execute(`
      insert into svc_auth.oauth2_grants (state, user_id, generation, client_id, scopes, resource,
        redirect_uri, code_hash, code_challenge, code_expires_at, created_at, expires_at)
      values ('active', '${user.userId}', 0, '${client_id}', '{}', '/', '/', '${randomUUID()}', '',
        now(), now(), now() + interval '1 day')`)
    const grants = async () =>
      (await app.api.call('readUser', undefined, operator.key, { params: { userId: user.userId } }))
        .body.grants
    expect(await grants()).toHaveLength(1)
    const { page, open, click, see } = await openConsole()
    await open('/admin/programs')
    await page.getByText(`Accounts that have given it access ${client_name}`).click()
    await page.getByRole('button', { name: `End ${client_name} ${user.email}` }).click()
    await see(`End the access of ${client_name} to the account of ${user.email}?`)
    await click('Yes, end it')
    await see('The access has ended.')
    expect(await grants()).toEqual([])
  })

  it('shows how the server is and what is configured, and no value', async () => {
    const { page, open, see } = await openConsole()
    await open('/admin/server')
    await see('Healthy')
    await page.getByText(/^Svc \d+\.\d+\.\d+, Node \d+/).waitFor()
    const row = page.getByRole('listitem').filter({ hasText: 'SVC_AUTH_TOKEN_ENCRYPTION_KEYS' })
    await row.getByText('On', { exact: true }).waitFor()
    const html = await page.content()
    for (const secret of [encryptionKey, verificationSecret]) expect(html).not.toContain(secret)
  })

  it('shows the limits that have refused requests', async () => {
    const { limitHits } = app.api.infrastructure
    const { open, see } = await openConsole()
    await open('/admin/limits')
    await see('Limits are off. SVC_RATE_LIMIT turns them on.')
    for (let n = 0; n < 3; n++) limitHits.add('login by address')
    await open('/admin/limits')
    await see('login by address')
    await see('3 times')
  })

  it('has a page for an account that is not there', async () => {
    const { open } = await openConsole()
    expect((await open(`/admin/people/${randomUUID()}`))?.status()).toBe(404)
  })
})
