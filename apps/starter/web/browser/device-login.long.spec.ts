import { createTestKey } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { cookieNames, shownBy } from './test-device-login.ts'
import { newVisitor, signedInVisitor, type Visitor } from './visitor.ts'

/** A browser that waits, and another one whose user has typed its code in. */
async function twoBrowsers() {
  const user = await app.api.createUser()
  const [waiting, approver] = [await newVisitor(), await signedInVisitor(user)]
  await waiting.open('/link')
  const shown = await shownBy(waiting)
  await look(approver, shown.code)
  return { user, waiting, approver, ...shown }
}

async function look({ open, fill, click }: Visitor, code: string) {
  await open('/device')
  await fill('Code', code)
  await click('Continue')
}

describe('signing in with another device', () => {
  it('ends where the other device denies it, and can start over (A-191)', async () => {
    const { waiting, approver, code } = await twoBrowsers()
    await approver.click('Deny')
    await approver.see('The request was denied')
    await waiting.see('The sign-in was denied')
    expect(await cookieNames(waiting)).not.toContain('svc_session')
    await waiting.click('Show a new code')
    await waiting.see('Waiting for your approval.')
    expect((await shownBy(waiting)).code).not.toBe(code)
    await look(approver, code)
    await approver.see('This code was already approved or denied.')
  })

  it('ends when its time is over, on both devices (A-199)', async () => {
    const waiting = await newVisitor()
    await waiting.open('/link')
    await shownBy(waiting)
    const after = (minutes: number) => new Date(Date.now() + minutes * 60_000)
    await app.clock.at(after(11), () => waiting.see('This code no longer works'))

    const { registration } = await createTestKey()
    const start = () => app.api.call('startDeviceAuth', { ...registration })
    const { body } = await app.clock.at(after(-11), start)
    const approver = await signedInVisitor(await app.api.createUser())
    await look(approver, body.userCode)
    await approver.see('This code has expired.')
  })
})

describe('approving a device', () => {
  it('is reserved for the first user who entered the right code (A-189)', async () => {
    const { code } = await twoBrowsers()
    const other = await signedInVisitor(await app.api.createUser())
    for (const wrong of [code, 'AAAA-2222', 'nonsense', '<b>', 'x'.repeat(32)]) {
      await look(other, wrong)
      await other.see('No device is waiting with this code.')
    }
    await look(other, '  ')
    await other.see('Enter the code that the device shows.')
  })

  it('takes a code from its address, and waits until the user sends it', async () => {
    const waiting = await newVisitor()
    await waiting.open('/link')
    const { code } = await shownBy(waiting)
    const user = await app.api.createUser()
    const approver = await newVisitor()
    const calls: string[] = []
    approver.page.on('request', (request) => calls.push(request.url()))
    await approver.signIn(user, `/device?code=${code}`)
    await approver.page.waitForURL(`${app.web}/device?code=${code}`)
    const field = approver.page.getByLabel('Code', { exact: true })
    await expect.poll(() => field.inputValue()).toBe(code)
    await approver.page.waitForLoadState('networkidle')
    expect(calls.filter((url) => url.includes('/api/rpc/getDeviceAuthInfo'))).toEqual([])
    await approver.click('Continue')
    await approver.see('Is this the device in front of you?')
  })

  it('shows a name for what it is: text that keeps to its place', async () => {
    const { registration } = await createTestKey()
    const deviceName = `<img src=x onerror=alert(1)>\u202E${'w'.repeat(34)}`
    const { body } = await app.api.call('startDeviceAuth', { ...registration, deviceName })
    const approver = await signedInVisitor(await app.api.createUser())
    await approver.page.setViewportSize({ width: 375, height: 800 })
    await look(approver, body.userCode)
    await approver.see('<img src=x onerror=alert(1)>')
    const { images, overflow } = await approver.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return {
        images: document.querySelectorAll('main img').length,
        overflow: scrollWidth - clientWidth,
      }
    })
    expect({ images, overflow }).toEqual({ images: 0, overflow: 0 })
  })
})
