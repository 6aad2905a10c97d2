import { type RawContext, receiveBody, UnauthorizedError } from '@svc/core'
import type { Auth } from '../auth.ts'
import type { CallerRow } from '../caller/caller-row.ts'
import type { ParsedRequestJwt } from '../crypto/request-jwt.ts'
import { checkSigned } from './check-signed.ts'
import { signedBy } from './signed-by.ts'

interface Signed {
  auth: Auth
  jwt: ParsedRequestJwt
  /** Refuses a key whose life is over. Told to nobody but who has signed with it. */
  refuseEnded: (row: CallerRow, now: Date) => void
}

/** The device key that has signed this very request, just now and for the first time. What costs more comes later. */
export async function findSigner(raw: RawContext, signed: Signed): Promise<CallerRow> {
  const { auth, jwt, refuseEnded } = signed
  const found = await signedBy(jwt, await auth.callers(jwt.keyId), auth.signatures)
  // One refusal for a key that is unknown, revoked or waiting, and for a signature that is not the key's.
  if (!found) throw new UnauthorizedError()
  const row = raw.incoming.complete ? found : await readAfterBody(raw, auth, found)
  refuseEnded(row, auth.clock.now())
  await checkSigned(raw, { auth, jwt })
  return row
}

/** Whoever holds the end of a body back must not act as what the key and its account were when it began. */
async function readAfterBody(raw: RawContext, { callers }: Auth, { keyId }: CallerRow) {
  await receiveBody(raw)
  const row = await callers(keyId)
  if (row?.state !== 'active') throw new UnauthorizedError()
  return row
}
