import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openConsole, operator, someone } from './console-operator.ts'
import { app } from './running-web-app.ts'
import { signedInVisitor } from './visitor.ts'

describe('the console, on a phone', () => {
  it('reads what an operator did, and filters it', async () => {
    const { userId } = await someone()
    const input = { params: { userId } }
    await app.api.call('suspendUser', { reason: 'For the trail' }, operator.key, input)
    const { page, open, fill, click } = await openConsole()
    await open('/admin/audit')
    await page.getByText('More filters').click()
    await fill('To whom or what', userId)
    await click('Search')
    const row = page.getByRole('listitem').filter({ hasText: 'account.suspended' })
    await row.getByText('Details').click()
    await row.getByText('For the trail').waitFor()
    expect(await row.count()).toBe(1)
  })

  it('lists open streams, and ends one', async () => {
    const { email, password } = await someone()
    const owner = await signedInVisitor({ email, password })
    await owner.open('/live')
    await owner.page.getByText('Connected', { exact: true }).first().waitFor()
    const { page, open, click, see } = await openConsole()
    await open('/admin/live')
    const row = page.getByRole('listitem').filter({ hasText: email }).first()
    await row.getByRole('button', { name: 'End' }).click()
    await click('Yes, end it')
    await see('The stream has ended.')
    expect(await page.evaluate(() => document.activeElement?.matches('.svc-focusable'))).toBe(true)
  })

  it('shows the parts of an operator alone, and opens no other', async () => {
    const { key } = await app.api.signedInUser({ role: 'superadmin' })
    const name = `server-${randomUUID().slice(0, 8)}`
    const role = { name, displayName: 'Server', permissions: ['server:read'] }
    expect((await app.api.call('createAdminRole', role, key)).status).toBe(201)
    const { page, open, see } = await signedInVisitor(await app.api.createUser({ role: name }))
    await open('/admin/server')
    const tabs = page.getByRole('navigation', { name: 'Administration' }).getByRole('link')
    expect(await tabs.allTextContents()).toEqual(['Limits', 'Server'])
    await open('/admin/programs')
    await see('This page needs the permission user:read.')
    expect(await page.getByRole('heading', { name: 'Machine keys' }).count()).toBe(0)
  })
})
