import { Sealer } from '../../packages/web/src/session/sealer.ts'

type Session = Parameters<typeof Sealer.prototype.seal<'session'>>[1]

type Waiting = Parameters<typeof Sealer.prototype.seal<'mfa pending'>>[1]

/** A session as the web process seals it, for an hour. */
export function sealSession(secret: string, session: Session) {
  return new Sealer(secret).seal('session', session, Date.now() + 3_600_000)
}

/** A sign-in that waits for its second factor, in the same way. */
export function sealWaiting(secret: string, waiting: Waiting) {
  return new Sealer(secret).seal('mfa pending', waiting, waiting.expiresAtMillis)
}
