import { describe, expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { signedInAs } from './social-visitor.ts'
import { arrivedBy, hasTitle, isAt, linkedPage, unlink } from './test-social.ts'
import { signedInVisitor } from './visitor.ts'

describe('an account that is linked', () => {
  it('stays where it is the last way to sign in', async () => {
    const visitor = await arrivedBy('github')
    const { userId } = await signedInAs(visitor)
    await app.api.auth.db.execute(
      `update svc_auth.users set email_verified_at = null where user_id = '${userId}'`,
    )
    await unlink(visitor, 'github')
    await visitor.see('This is your last way to sign in.')
    await visitor.open(linkedPage)
    await visitor.page.getByRole('region', { name: '1 linked account' }).waitFor()
  })

  it('is not linked to another account too', async () => {
    await arrivedBy('google')
    const user = await app.api.createUser()
    const visitor = await signedInVisitor(user)
    await visitor.open(linkedPage)
    await visitor.click('Link Google')
    await isAt(visitor, '/auth/error?error=already_linked')
    await hasTitle(visitor, 'Already linked')
    await visitor.page.getByRole('link', { name: 'Your linked accounts' }).click()
    await visitor.page.getByRole('heading', { name: 'No linked accounts yet' }).waitFor()
    expect(await signedInAs(visitor)).toMatchObject({ userId: user.userId })
  })
})
