import type { Lifecycle } from '../definition/lifecycle.ts'
import type { HandlerContext } from '../routes/context.ts'
import type { StreamCredentials } from './access/stream-credentials.ts'
import type { StreamGrant } from './access/stream-tokens.ts'

/**
 * Sign-in, as streams see it: `x-user` and `x-key` name the caller, and a test says what a key can
 * do.
 */
export function testCredentials() {
  const standings = new Map<string, string | null>()
  const questions: (readonly StreamGrant[])[] = []
  const given: StreamCredentials = {
    identify(c: HandlerContext) {
      const subject = c.raw.req.header('x-user')
      const credential = c.raw.req.header('x-key')
      return subject ? { subject, ...(credential && { credential }) } : null
    },
    async standing(grants) {
      questions.push(grants)
      return grants.map(({ credential = '' }) => standings.get(credential) ?? absent(credential))
    },
  }
  const absent = (credential: string) => (standings.has(credential) ? null : '')
  const lifecycle: Lifecycle = { name: 'test', streamCredentials: () => given }
  return { lifecycle, questions, given, standings }
}

/** A promise that a test settles, and that says when the code under test waits for it. */
export function gate<Value = void>() {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const asked = Promise.withResolvers<void>()
  return {
    open: resolve,
    fail: reject,
    asked: asked.promise,
    pass: () => {
      asked.resolve()
      return promise
    },
  }
}

/** Lets what has been settled go on for so many steps. */
export async function microtasks(count: number) {
  for (let step = 0; step < count; step++) await Promise.resolve()
}
