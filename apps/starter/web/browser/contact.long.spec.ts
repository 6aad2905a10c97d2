import { it } from 'vitest'
import { codeSentTo } from './mail.ts'
import { app } from './running-web-app.ts'
import { newVisitor, signedInVisitor } from './visitor.ts'

it('an email that another account has is told to a user who has read its code, and stays', async () => {
  const [user, other] = [await app.api.createUser(), await app.api.createUser()]
  const { open, fill, click, see } = await signedInVisitor(user)
  await open('/account/email')
  await fill('New email', other.email)
  await click('Send code')
  await fill('Code', await codeSentTo(other.email))
  await click('Continue')
  await fill('Current password', user.password)
  await click('Change email')
  await see('Another account uses this email.')
  await open('/account')
  await see(user.email)
})

it.each(['/account/undo', `/account/undo?token=${'x'.repeat(43)}`, '/account/undo?token=short'])(
  'says the same of every link that is not good: %s',
  async (path) => {
    const { open, see } = await newVisitor()
    await open(path)
    await see('This link does not work')
  },
)
