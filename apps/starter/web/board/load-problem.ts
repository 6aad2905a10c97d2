import { HttpError, ValidationError } from '@svc/core/client'
import type { Notices } from '../api.ts'
import { fill, type Words } from '../words/words.ts'

export type LoadProblem = 'no answer' | 'error'

/** Why a board is not on show. It is `gone` once the user is no longer a member of its organization. */
export type BoardProblem = LoadProblem | 'gone'

export function boardProblem(error: unknown): BoardProblem {
  return error instanceof HttpError && error.status === 404 ? 'gone' : loadProblem(error)
}

/** The notices that were found last, and the problem with finding more. */
export interface Loaded {
  notices: Notices | null
  problem: BoardProblem | null
}

/** What a page is rendered with. Without an answer the board says so, and asks again from the browser. */
export async function loaded(asking: Promise<Notices>): Promise<Loaded> {
  try {
    return { notices: await asking, problem: null }
  } catch (error) {
    return { notices: null, problem: boardProblem(error) }
  }
}

/** Whether the API is down, or answers with an error. */
export function loadProblem(error: unknown): LoadProblem {
  // The proxy and the client also throw 503 if the API doesn't answer.
  return error instanceof HttpError && error.status !== 503 ? 'error' : 'no answer'
}

/** The API no longer accepts this device's key: it was revoked, or has expired. */
export function isSignedOut(error: unknown) {
  return error instanceof HttpError && error.status === 401
}

/** What a person can do about a notice that was not posted. */
export function failureMessage(board: Words['board'], error: unknown) {
  if (isSignedOut(error)) return board.signedOut
  if (error instanceof ValidationError) return board.invalid
  if (!(error instanceof HttpError) || error.status === 503) return board.away
  return fill(board.refused, { message: error.message })
}
