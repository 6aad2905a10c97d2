import { createApi } from '@svc/core/client'
import { routeMap } from 'starter-api/route-map'
import type { AppRouter } from 'starter-api/router'
import { describe, expect, it } from 'vitest'
import { english } from '../words/words.ts'
import { failureMessage, isSignedOut, loadProblem } from './load-problem.ts'

/** What a call throws when it is answered with this status, or not at all. */
function thrownFor(status?: number): Promise<unknown> {
  const answer = async () => {
    if (status === undefined) throw new TypeError('fetch failed')
    return new Response(null, { status })
  }
  const api = createApi<AppRouter>({ routeMap, fetch: answer })
  return api.createNotice.call({ body: { text: 'Hello' } }).catch((error: unknown) => error)
}

describe('an API that is away', () => {
  it('does not answer, whether its port is closed or the proxy says so', async () => {
    expect(loadProblem(await thrownFor())).toBe('no answer')
    expect(loadProblem(await thrownFor(503))).toBe('no answer')
    expect(loadProblem(await thrownFor(500))).toBe('error')
  })

  it('is not what a device hears that was signed out', async () => {
    expect(failureMessage(english.board, await thrownFor(401))).toBe(english.board.signedOut)
    expect(isSignedOut(await thrownFor(403))).toBe(false)
    expect(isSignedOut(await thrownFor())).toBe(false)
  })

  it('has refused nothing', async () => {
    expect(failureMessage(english.board, await thrownFor())).not.toContain('refused')
    expect(failureMessage(english.board, await thrownFor(503))).not.toContain('refused')
    expect(failureMessage(english.board, await thrownFor(409))).toContain('refused')
  })
})
