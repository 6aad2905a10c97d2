import { describe, expect, it, onTestFinished } from 'vitest'
import { signedInLongAgo } from './enrolled-visitor.ts'
import { app } from './running-web-app.ts'
import { listed, notice, openSupport, supportOn } from './support-session.ts'
import { signedInVisitor, type Visitor } from './visitor.ts'

/** An owner who has a page open, which listens to what becomes of the account. */
async function ownerOn(path: string) {
  const user = await app.api.createUser()
  const visitor = await signedInVisitor(user)
  // The page reads the list once its stream is open.
  const isListening = visitor.page.waitForResponse(/\/api\/rpc\/listKeys/)
  await visitor.open(path)
  await isListening
  return { user, visitor, openSession: () => supportOn(user) }
}

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

  it('appears in the list of devices, and goes from the whole page when its owner ends it there', async () => {
    const { visitor, openSession } = await ownerOn('/account/devices')
    const session = await openSession()
    await notice(visitor).waitFor()
    await listed(visitor).waitFor()
    const { ended } = await session.stream()

    await listed(visitor).getByRole('button', { name: 'End Hedy Lamarr' }).click()
    await visitor.click('Yes, end it')
    await notice(visitor).waitFor({ state: 'detached' })
    await listed(visitor).waitFor({ state: 'detached' })
    await ended
    expect(await session.status()).toBe(401)
  })

  it('goes from the open page by itself when its operator ends it', async () => {
    const { visitor, openSession } = await ownerOn('/account/devices')
    const session = await openSession()
    await listed(visitor).waitFor()
    await session.end()
    await notice(visitor).waitFor({ state: 'detached' })
    await listed(visitor).waitFor({ state: 'detached' })
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

  it('is named without scripts too, with its end in UTC', async () => {
    const { visitor, openSession } = await ownerOn('/account')
    await openSession()
    const still = await app.browser.newContext({ javaScriptEnabled: false })
    onTestFinished(() => still.close())
    await still.addCookies(await visitor.context.cookies())
    const page = await still.newPage()
    await page.goto(`${app.web}/account`)
    const text = /Support is signed in to your account: Hedy Lamarr, until \d+:\d\d UTC\./
    await page.getByText(text).waitFor()
  })
})

const codePage = '/account/security/support-code'
const code = ({ page }: Visitor) => page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)

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

  it('takes a fresh proof, and the one before is void', async () => {
    const user = await app.api.createUser()
    const visitor = await signedInLongAgo(user)
    await visitor.open(codePage)
    await visitor.click('Show a code')
    const dialog = visitor.page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await visitor.see('Nothing was done. Confirm that it is you first')
    expect(await code(visitor).count()).toBe(0)

    await visitor.click('Show a code')
    await dialog.getByLabel('Your password', { exact: true }).fill(user.password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const first = (await code(visitor).textContent()) ?? ''
    await visitor.click('Show a new code')
    await expect.poll(() => code(visitor).textContent()).not.toBe(first)
    const late = openSupport({ userId: user.userId, code: first })
    await expect(late).rejects.toThrow('SupportCodeError')
  })
})
