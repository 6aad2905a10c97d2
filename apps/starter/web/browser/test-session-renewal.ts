import { expect } from 'vitest'
import { passkeyVisitor } from './passkey-visitor.ts'
import { app } from './running-web-app.ts'
import { type Visitor } from './visitor.ts'

const isBound = 'This session is bound to your passkeys.'

/** A user whose session is bound to the passkey of their browser. */
export async function boundVisitor() {
  const visitor = await passkeyVisitor()
  await visitor.open('/account/security')
  await visitor.click('Bind this session')
  await visitor.see(isBound)
  return visitor
}

/** As if the window had ended so long ago. The web app signs by the time that it is: the key is what is moved. */
export async function endWindow({ userId }: { userId: string }, hoursAgo: number) {
  const endedAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
  await app.api.auth.db.execute(
    `update svc_auth.device_keys set expires_at = '${endedAt}' where user_id = '${userId}'`,
  )
}

export async function expectAsked({ page, web, open }: Visitor) {
  await open('/account/devices')
  expect(page.url()).toBe(`${web}/auth/renew?returnTo=%2Faccount%2Fdevices`)
}
