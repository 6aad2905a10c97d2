import { describe, expect, it, onTestFinished } from 'vitest'
import { signedInLongAgo } from './enrolled-visitor.ts'
import { app } from './running-web-app.ts'
import { listed, notice, openSupport } from './support-session.ts'
import { code, codePage, ownerOn } from './test-support.ts'

describe('a support session', () => {
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

describe('the code for support', () => {
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
