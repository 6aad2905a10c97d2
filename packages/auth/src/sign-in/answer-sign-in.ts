import type { Answer, HandlerContext } from '@svc/core'
import type { LoginResult } from '../capability/login-result.ts'

/** 202 where the second factor is due: a client that looks at the status alone must not take it for a sign-in. */
export function answerSignIn<Result extends LoginResult>(
  c: HandlerContext,
  result: Result,
): Answer<Result> {
  return c.json(result, result.mfaRequired ? 202 : 200)
}
