import { describe, expect, it } from 'vitest'
import { enrolledVisitor } from './enrolled-visitor.ts'
import { changePassword, dialog, give, prove } from './test-step-up.ts'

describe('a user who proved their second step an hour ago is asked for it again, and what they began goes on', () => {
  it('when a password is changed (A-247)', async () => {
    const visitor = await enrolledVisitor()
    await changePassword(visitor, 'seven sleepy sailors')
    await give(visitor, 'Code', visitor.user.phone.wrongCode())
    await dialog(visitor).getByText('That was wrong. Check it and try again.').waitFor()
    await prove(visitor)
    await visitor.see('Your password is changed')
    expect(await dialog(visitor).count()).toBe(0)
  })
})
