import type { HandlerContext } from '@svc/core'
import { authOf } from '../auth.ts'
import { callerOf, getAuth, requestOrigin } from '../caller/caller.ts'
import type { Access } from '../capability/contract.ts'
import { asProvable, type ProofWindow, proveFresh } from '../fresh-proof/fresh-proof.ts'

const windows: ReadonlyMap<Access, ProofWindow> = new Map([
  ['fresh', 'recent'],
  ['fresh for passkeys', 'passkey'],
  ['fresh superadmin', 'operator'],
])

function windowOf(access: Access): ProofWindow | undefined {
  if (access.startsWith('fresh, may ')) return 'operator'
  return access.startsWith('fresh, in ') ? 'recent' : windows.get(access)
}

interface Asked {
  operation: string
  c: HandlerContext
  data: { body?: unknown }
}

/** The caller for the handler. If the access asks for a fresh proof, the caller must have given it. */
export async function callerFor(access: Access, { operation, c, data }: Asked) {
  const window = windowOf(access)
  if (!window) return callerOf(c)
  const { currentPassword } = (data.body ?? {}) as { currentPassword?: string }
  return proveFresh(authOf(c.raw.server), {
    caller: asProvable(getAuth(c)),
    currentPassword,
    operation,
    window,
    origin: requestOrigin(c.raw),
  })
}
