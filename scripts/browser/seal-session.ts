import { Sealer } from '../../packages/web/src/session/sealer.ts'

type Session = Parameters<typeof Sealer.prototype.seal<'session'>>[1]

/** A session as the web process seals it, for an hour. */
export function sealSession(secret: string, session: Session) {
  return new Sealer(secret).seal('session', session, Date.now() + 3_600_000)
}
