import { describe, expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { cookieNames, shownBy } from './test-device-login.ts'
import { newVisitor, signedInVisitor } from './visitor.ts'

describe('signing in with another device', () => {
  it('shows a code, which the other device types in, and is signed in as its user (A-193, A-194)', async () => {
    const user = await app.api.createUser()
    const [waiting, approver] = [await newVisitor(), await signedInVisitor(user)]
    await waiting.open('/login?returnTo=%2Flive')
    await waiting.page.getByRole('link', { name: 'Sign in with another device' }).click()
    await waiting.see('Waiting for your approval.')
    await waiting.see(`${new URL(app.web).host}/device`)
    const { code, prefix } = await shownBy(waiting)
    await waiting.page.reload()
    expect(await shownBy(waiting)).toEqual({ code, prefix })

    await approver.open('/account/devices')
    await approver.page.getByRole('link', { name: 'Link a device' }).click()
    await approver.fill('Code', ` ${code.toLowerCase().replace('-', ' ')} `)
    await approver.click('Continue')
    await approver.see('Is this the device in front of you?')
    const facts = await approver.page.getByRole('main').innerText()
    for (const fact of [
      'Chrome on Linux',
      'Web browser',
      `Key ${prefix}:`,
      user.email,
      'just now',
    ]) {
      expect(facts).toContain(fact)
    }
    expect(facts).not.toContain(code)
    await approver.click('Approve')
    await approver.see('The device signs in as you in a moment')

    await waiting.page.waitForURL(`${waiting.web}/live`)
    expect(await cookieNames(waiting)).toEqual(['svc_csrf', 'svc_known', 'svc_session'])
    await waiting.open('/account')
    await waiting.see(user.email)
    await approver.page.getByRole('link', { name: 'See your devices' }).click()
    const others = approver.page.getByRole('listitem').filter({ hasText: 'Signed in' })
    await others.waitFor()
    await others.getByText('Details').click()
    await others.getByText(prefix).waitFor()
  })
})
