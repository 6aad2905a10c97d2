import { describe, expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

describe('the notice board', () => {
  it('tells a user who may not post why', async () => {
    const { page, signIn, see } = await newVisitor()
    await signIn(await app.api.createUser())
    await see('Your role can read notices, but not post them.')
    expect(await page.getByRole('textbox', { name: 'New notice' }).count()).toBe(0)
  })
})
