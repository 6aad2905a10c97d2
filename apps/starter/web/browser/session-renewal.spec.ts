import { describe, it } from 'vitest'
import { boundVisitor, endWindow, expectAsked } from './test-session-renewal.ts'

describe('a bound session', () => {
  it('goes on where it was by a passkey, once its key has run out (A-254, A-325)', async () => {
    const visitor = await boundVisitor()
    await endWindow(visitor.user, 1)
    await expectAsked(visitor)
    await visitor.click('Continue with your passkey')
    await visitor.page.waitForURL(`${visitor.web}/account/devices`)
    const here = visitor.page.getByRole('region', { name: 'This device' })
    await here.getByText('Bound to a passkey').waitFor()
    await here.getByText('Needs its passkey again in 24 hours.').waitFor()
    await visitor.see('You are not signed in anywhere else.')
  })
})
