import {
  MfaNotEnrolledError,
  MfaUnavailableError,
  MfaVerificationFailedError,
  RecentAuthenticationRequiredError,
  StepUpRequiredError,
} from '@svc/auth'
import { TooManyRequestsError, ValidationError } from '@svc/core/client'
import { isSentByOwnPage, pageAnswer } from '../page/page.ts'
import type { FactorProblem } from './consent-stage.ts'
import { asked, type SignedVisit, shown } from './consent-visit.ts'
import { drawReturn } from './draw-stage.ts'
import { askProof, proveOwner, sendProofCode } from './prove-owner.ts'

/** Does what the page's form says. A form that was not drawn for this session decides nothing. */
export async function decide(opened: SignedVisit, form: URLSearchParams) {
  const decision = form.get('decision')
  const isDecision = decision === 'allow' || decision === 'deny' || decision === 'code'
  if (!isDecision || !(await isOwnForm(opened, form))) {
    return shown(opened, { name: 'consent', ...(await asked(opened)), isOnceMore: true }, 403)
  }
  const owner = form.get('owner')
  const visit = owner ? { ...opened, owner } : opened
  if (decision === 'deny') return sendBack(visit, 'deny')
  if (decision === 'code') return sendProofCode(visit)
  const problem = await proveFactor(visit, form.get('factor')?.trim() ?? '')
  if (problem) return askFactor(visit, problem)
  const again = await proveOwner(visit, form)
  return again ? askProof(visit, again) : allow(visit)
}

/**
 * Compares with the session's own token, not with a cookie: what was shown to one account can't be
 * allowed by another that has signed in meanwhile, and a planted cookie is useless.
 */
async function isOwnForm({ web, opened, request }: SignedVisit, form: URLSearchParams) {
  const isToken = await web.csrf.isTokenOf(opened.session.keyId, form.get('csrf'))
  return isToken && isSentByOwnPage(request)
}

/** Allows it, or asks for the proof that this takes. */
export async function allow(visit: SignedVisit) {
  try {
    return await sendBack(visit, 'allow')
  } catch (error) {
    if (error instanceof StepUpRequiredError) return askFactor(visit)
    if (error instanceof RecentAuthenticationRequiredError) return askProof(visit)
    throw error
  }
}

/**
 * Chromium applies the page's `form-action` to a redirect after a form, and to each redirect of the
 * client after it. So the answer is a page that goes on by itself: its address may be anywhere.
 */
async function sendBack({ api, fields, owner, words }: SignedVisit, decision: 'allow' | 'deny') {
  const isFor = decision === 'allow' && owner !== undefined && { owner }
  const body = { ...fields, decision, ...isFor }
  const { redirectTo } = await api.createOAuth2AuthorizationCode.call({ body })
  const page = await pageAnswer({
    status: 200,
    lang: words.lang,
    title: words.titles.return,
    body: drawReturn(redirectTo, words),
  })
  page.headers.set('refresh', `0;url=${redirectTo}`)
  return page
}

async function askFactor(visit: SignedVisit, refused?: FactorProblem) {
  const [facts, status] = await Promise.all([asked(visit), visit.api.mfaStatus.call()])
  const hasCodes = status.methods.includes('totp') || status.recoveryCodesRemaining > 0
  const problem = hasCodes ? refused : 'no code'
  const stage = { name: 'step-up', ...facts, ...(problem && { problem }) } as const
  return shown(visit, stage, refused ? 403 : 200)
}

/** Without a code there is nothing to prove. Whether one is needed, the API decides. */
async function proveFactor({ api }: SignedVisit, typed: string) {
  if (typed === '') return null
  const digits = typed.replaceAll(' ', '')
  const body = /^\d{6}$/.test(digits) ? { code: digits } : { recoveryCode: typed }
  try {
    await api.mfaStepUp.call({ body })
    return null
  } catch (error) {
    const problem = problemOf(error)
    if (problem) return problem
    throw error
  }
}

function problemOf(error: unknown): FactorProblem | null {
  if (error instanceof MfaVerificationFailedError || error instanceof ValidationError) {
    return 'wrong'
  }
  if (error instanceof TooManyRequestsError) return 'too many'
  const isWithout = error instanceof MfaNotEnrolledError || error instanceof MfaUnavailableError
  return isWithout ? 'no code' : null
}
