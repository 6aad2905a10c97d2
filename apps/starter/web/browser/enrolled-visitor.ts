import { createPortableKey, openPortableKey } from '@svc/auth'
import { authenticatorApp } from '../../../../scripts/browser/authenticator-app.ts'
import { sealSession } from '../../../../scripts/browser/seal-session.ts'
import { app } from './running-web-app.ts'
import { sessionSecret } from './test-web-app.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const hour = 3_600_000

interface User {
  userId: string
  email: string
  password: string
}

/** Gives a user an authenticator app, an hour ago, by a device whose session they still have. */
export async function enrol({ userId, email, password }: User) {
  const { registration, ...portable } = await createPortableKey()
  const key = await openPortableKey(portable)
  return app.clock.at(new Date(Date.now() - hour), async () => {
    await answered(app.api.call('login', { email, password, ...registration }))
    const { secret } = await answered(app.api.call('mfaTotpEnroll', {}, key))
    const phone = authenticatorApp(secret, app.api.clock)
    const code = phone.nextCode()
    const { recoveryCodes } = await answered(app.api.call('mfaTotpConfirm', { code }, key))
    return { phone, recoveryCodes: recoveryCodes as string[], session: { userId, ...portable } }
  })
}

export async function enrolledUser(given?: User) {
  const user = given ?? (await app.api.createUser())
  return { ...user, ...(await enrol(user)) }
}

/**
 * A user who has signed in and enrolled an hour ago, in the browser of that device. They have
 * proved nothing since.
 */
export async function enrolledVisitor(given?: User) {
  const user = await enrolledUser(given)
  const visitor = await newVisitor()
  await putSession(visitor, user.session)
  return { ...visitor, user }
}

/** Somebody who signed in two hours ago and has proved nothing since, in the browser of that device. */
export async function signedInLongAgo({ userId, email, password }: User) {
  const { registration, ...portable } = await createPortableKey()
  await app.clock.at(new Date(Date.now() - 2 * hour), () =>
    answered(app.api.call('login', { email, password, ...registration })),
  )
  const visitor = await newVisitor()
  await putSession(visitor, { userId, ...portable })
  return visitor
}

async function putSession({ context, web }: Visitor, session: Parameters<typeof sealSession>[1]) {
  const value = await sealSession(sessionSecret, session)
  await context.addCookies([
    { name: 'svc_session', value, url: web, httpOnly: true, sameSite: 'Lax' },
  ])
  // The answer brings the other cookie, without which nothing can be changed.
  await context.request.get(`${web}/api/rpc/getAuthSession`)
}

async function answered(asked: ReturnType<typeof app.api.call>) {
  const { status, body } = await asked
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
