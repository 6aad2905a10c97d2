import { expect, it } from 'vitest'
import { ask } from './ask.ts'
import { linkSentBy } from './mail.ts'
import { app } from './running-web-app.ts'
import { newVisitor, signedInVisitor } from './visitor.ts'

it('a mailed link signs every device out, without a sign-in, once (A-212, A-219)', async () => {
  const user = await app.api.createUser()
  const [owner, elsewhere] = [await signedInVisitor(user), await signedInVisitor(user)]
  await owner.open('/account/security')
  const link = await linkSentBy(() => owner.click('Mail me the link'), user.email, 'revoke-all')
  await owner.see('We sent a link')

  for (let times = 0; times < 5; times += 1) expect((await ask(link)).status).toBe(200)
  const reader = await newVisitor()
  await reader.open(link)
  await reader.see('2 devices are signed in')
  await owner.open('/account')
  await owner.see(user.email)
  await reader.page.getByRole('button').click()
  await reader.page.getByRole('heading', { name: 'Signed out everywhere' }).waitFor()

  for (const { open, page } of [owner, elsewhere]) {
    await open('/account')
    expect(page.url()).toContain('/login?')
  }
  expect((await reader.open(link))?.status()).toBe(404)
})
