import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openConsole, operator, operatorWith, someone } from './console-operator.ts'
import { app } from './running-web-app.ts'

describe('the users of the console, on a phone', () => {
  it('says what to do where no user is found', async () => {
    const { fill, click, see } = await openConsole()
    await fill('Begins with', randomUUID())
    await click('Search')
    await see('No user begins like that. Give less of the beginning, or search in another field.')
  })

  it('signs out a lost device with a reason, and its next request is refused', async () => {
    const { userId, email, key } = await someone()
    const { page, open, fill, click, see } = await openConsole()
    await open(`/admin/people/${userId}`)
    await page.getByRole('button', { name: 'Sign out Device without a name' }).click()
    await fill('Reason', 'Lost on a train')
    await click('Yes, sign out')
    await see(`${email} is signed out of Device without a name.`)
    await see('This user is not signed in anywhere.')
    expect((await app.api.call('getAuthSession', undefined, key)).status).toBe(401)
    const query = { query: { target: userId } }
    const trail = await app.api.call('listAuditEvents', undefined, operator.key, query)
    const reasons = trail.body.data.map(
      (row: { details?: { reason?: string } }) => row.details?.reason,
    )
    expect(reasons).toContain('Lost on a train')
  })

  it('requires a new password, says so in sight, and closes the question', async () => {
    const { userId, email } = await someone()
    const { page, open, click, see } = await openConsole()
    await open(`/admin/people/${userId}`)
    await click('Require a new password')
    await click('Yes, require it')
    await see(`${email} must choose another password at the next sign-in.`)
    await page.getByRole('button', { name: 'Require a new password' }).waitFor()
    expect(await page.getByRole('button', { name: 'Yes, require it' }).count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.matches('.svc-focusable'))).toBe(true)
  })

  it('breaks an address that is longer than the page', async () => {
    const email = `${randomUUID()}.${randomUUID()}@example.com`
    const { userId } = await app.api.createUser({ email })
    const { page, open } = await openConsole()
    await open(`/admin/people/${userId}`)
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth).toBe(clientWidth)
  })

  it('leads from a user to why they were suspended, and from there to who did it', async () => {
    const { userId } = await someone()
    const input = { params: { userId } }
    await app.api.call('suspendUser', { reason: 'Sold the account' }, operator.key, input)
    const { page, open, see } = await openConsole()
    await open(`/admin/people/${userId}`)
    await page.getByRole('link', { name: 'What happened to this account' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'account.suspended' })
    await row.getByText('User suspended').waitFor()
    await row.getByText('Details').click()
    await row.getByText('Sold the account').waitFor()
    await row.getByRole('link', { name: operator.email }).click()
    await see('This is your own account.')
  })

  it('lists no acts of others where what was typed is no day, or an address and no user may be read', async () => {
    const { page, open, see } = await operatorWith(['audit:read'])
    await open(`/admin/audit?actor=${operator.email}`)
    await see('Enter the id of a user.')
    expect(await page.getByLabel('By (user id)').inputValue()).toBe(operator.email)
    await open('/admin/audit?from=yesterday')
    await see('Write a day like 2030-01-31.')
    expect(await page.getByRole('list', { name: 'Acts' }).count()).toBe(0)
  })

  it('finds what a user did by their address, and names no one to an operator who may not read users', async () => {
    const { email, userId } = await someone()
    const { page, open, fill, click } = await openConsole()
    await open('/admin/audit')
    await page.getByText('More filters').click()
    await fill('By (address or user id)', email)
    await click('Search')
    const row = page.getByRole('listitem').filter({ hasText: 'Sign-in' }).first()
    await row.getByRole('link', { name: email }).waitFor()
    const auditor = await operatorWith(['audit:read'])
    await auditor.open(`/admin/audit?actor=${userId}`)
    await auditor.page.getByText(userId).first().waitFor()
    expect(await auditor.page.getByText(email).count()).toBe(0)
  })

  it('shows why a user is suspended, since when and by whom, and who opened the account', async () => {
    const { userId } = await someone()
    const input = { params: { userId } }
    await app.api.call('suspendUser', { reason: 'Spam from here' }, operator.key, input)
    const { page, open, see } = await openConsole()
    await open(`/admin/people/${userId}`)
    await see('Spam from here')
    await see('Suspended since')
    await page.getByRole('link', { name: operator.email }).waitFor()
    const given = { email: `${randomUUID()}@example.com` }
    const made = await app.api.call('createUser', given, operator.key)
    await open(`/admin/people/${made.body.userId}`)
    await see('Created by')
    await page.getByRole('link', { name: operator.email }).waitFor()
  })

  it('shows an operator who may only see users neither acts nor roles', async () => {
    const { userId, email } = await someone()
    const { page, open } = await operatorWith(['user:read'])
    await open(`/admin/people/${userId}`)
    await page.getByRole('heading', { name: email, level: 1 }).waitFor()
    expect(await page.getByRole('heading', { name: 'Devices' }).count()).toBe(1)
    for (const hidden of ['Help this user', 'Roles']) {
      expect(await page.getByRole('heading', { name: hidden }).count()).toBe(0)
    }
    expect(await page.getByRole('button', { name: 'Sign out Device without a name' }).count()).toBe(
      0,
    )
  })
})
