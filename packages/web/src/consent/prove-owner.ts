import { InvalidCredentialsError, InvalidVerificationCodeError } from '@svc/auth'
import { TooManyRequestsError, ValidationError } from '@svc/core/client'
import { targetOf } from '../page/client.ts'
import type { ProofProblem } from './consent-stage.ts'
import { asked, type SignedVisit, shown } from './consent-visit.ts'

interface Asking {
  isCodeSent?: boolean
  problem?: ProofProblem
}

/** Asks for a fresh proof on the page itself. The page runs no scripts, so it can't prompt for a passkey. */
export async function askProof(visit: SignedVisit, { isCodeSent = false, problem }: Asking = {}) {
  const [facts, session] = await Promise.all([asked(visit), visit.session])
  const codeTarget = targetOf(session)?.target ?? null
  const ways = { hasPassword: session.hasPassword, codeTarget, isCodeSent }
  const stage = { name: 'proof', ...facts, ...ways, ...(problem && { problem }) } as const
  return shown(visit, stage, problem ? 403 : 200)
}

/** Sends a code to the account's own address, and asks for it. */
export async function sendProofCode(visit: SignedVisit) {
  const to = targetOf(await visit.session)
  if (!to) return askProof(visit)
  try {
    await visit.api.sendVerificationCode.call({ body: { ...to, purpose: 'login' } })
  } catch (error) {
    if (!(error instanceof TooManyRequestsError)) throw error
    return askProof(visit, { problem: 'too many' })
  }
  return askProof(visit, { isCodeSent: true })
}

/**
 * What to ask for again if the form's proof was wrong; null if it was right, or if there was none.
 */
export async function proveOwner(
  { api }: SignedVisit,
  form: URLSearchParams,
): Promise<Asking | null> {
  const [password, code] = [form.get('password') ?? '', form.get('code')?.trim() ?? '']
  if (password === '' && code === '') return null
  const isCode = code !== ''
  try {
    await api.proveRecent.call({ body: isCode ? { code } : { password } })
    return null
  } catch (error) {
    const problem = problemOf(error)
    if (problem) return { problem, isCodeSent: isCode }
    throw error
  }
}

function problemOf(error: unknown): ProofProblem | null {
  if (error instanceof TooManyRequestsError) return 'too many'
  if (error instanceof InvalidCredentialsError) return 'wrong password'
  const isCode = error instanceof InvalidVerificationCodeError || error instanceof ValidationError
  return isCode ? 'wrong code' : null
}
