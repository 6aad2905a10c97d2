import { describe, expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { notice, openSupport } from './support-session.ts'
import { code, codePage, ownerOn } from './test-support.ts'
import { signedInVisitor } from './visitor.ts'

describe('a support session', () => {
  it('appears on the page that is open, and goes with its streams when its owner ends it there', async () => {
    const { visitor, openSession } = await ownerOn('/account')
    expect(await notice(visitor).count()).toBe(0)
    const session = await openSession()
    await notice(visitor).waitFor()
    const { ended } = await session.stream()

    await visitor.page.getByRole('button', { name: 'End session Hedy Lamarr' }).click()
    await visitor.click('Yes, end it')
    await notice(visitor).waitFor({ state: 'detached' })
    await ended
    await visitor.see('The support session of Hedy Lamarr is over.')
    expect(await session.status()).toBe(401)
  })

  it('is on every page of the account, and on no page of another user', async () => {
    const { user, openSession } = await ownerOn('/account')
    await openSession()
    const [owner, other] = [
      await signedInVisitor(user),
      await signedInVisitor(await app.api.createUser()),
    ]
    for (const path of ['/account', '/account/agents', '/account/security/passkeys']) {
      await owner.open(path)
      await notice(owner).waitFor()
    }
    await other.open('/account')
    expect(await notice(other).count()).toBe(0)
  })
})

describe('the code for support', () => {
  it('is offered under Security, lets an operator in once, and the page says that it was used', async () => {
    const { user, visitor } = await ownerOn('/account/security')
    await visitor.page.getByRole('link', { name: 'A code for support' }).click()
    await visitor.page.waitForURL(`${app.web}${codePage}`)
    await visitor.see('They can’t download your data, and can’t delete your account.')
    expect(await code(visitor).count()).toBe(0)
    await visitor.click('Show a code')
    await visitor.see('It works once, and expires in')
    const shown = (await code(visitor).textContent()) ?? ''

    await openSupport({ userId: user.userId, code: shown })
    await visitor.see('Support used your code')
    await notice(visitor).waitFor()
    expect(await code(visitor).count()).toBe(0)
    const again = openSupport({ userId: user.userId, code: shown })
    await expect(again).rejects.toThrow('SupportCodeError')
  })
})
