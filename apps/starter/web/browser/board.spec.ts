import { describe, expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

describe('the notice board', () => {
  it('is posted to by a user who signs in, until they sign out', async () => {
    const admin = await app.api.createUser({ role: 'admin' })
    const { page, signIn, signOut, see, click } = await newVisitor()
    await signIn(admin)
    await page.getByRole('textbox', { name: 'New notice' }).fill('Posted from a browser')
    await click('Post')
    await see('Your notice is on the board.')
    await page.getByRole('listitem').filter({ hasText: 'Posted from a browser' }).waitFor()

    await page.reload()
    await signOut()
    await see('to post a notice.')
    expect(await page.getByRole('listitem').filter({ hasText: 'Posted' }).count()).toBe(1)
  })
})
